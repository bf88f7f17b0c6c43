/* Writes to bit-fields. gcc announces one as a write to all bit-fields beside it, and then loads
 * what they share, changes it and stores it: another thread can come between the two, and what it
 * has written is lost. The announcement becomes that of a read, and the store is announced right
 * before it, as a write to all of them; an instruction that changes memory by itself is taken apart
 * for that. clang announces loads and stores where they are.
 *
 * They are recognised in the assembly: between the announcement and the next call or branch, and
 * from the same line of the source, something is stored to where it was loaded from. Code that is
 * no bit-field and looks like one has a step more than it needs where it races, nothing else. */
#ifndef HEDDLE_TARGETS_NATIVE_BIT_FIELDS_H
#define HEDDLE_TARGETS_NATIVE_BIT_FIELDS_H

#include <stdbool.h>

bool bit_fields_edit(const char *assembly);

#endif
