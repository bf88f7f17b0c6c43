/* Writes to bit-fields. gcc announces one as a write to all bit-fields beside it, and then loads
 * the bytes that they share, changes them and stores them: a write by another thread in between is
 * lost. Here the announcement becomes that of a read, and the store is announced right before it,
 * as a write to all of them; an instruction that both loads and stores is split for that. clang
 * announces the load and the store separately.
 *
 * They are recognised in the assembly: between the announcement and the next call or branch, and
 * from the same line of the source, a value is stored to the address that it was loaded from. Other
 * code that looks like this only has one more step than it needs where it races. */
#ifndef HEDDLE_TARGETS_NATIVE_BIT_FIELDS_H
#define HEDDLE_TARGETS_NATIVE_BIT_FIELDS_H

#include <stdbool.h>

bool bit_fields_edit(const char *assembly);

#endif
