/* Struct copies. gcc announces `*a = *b` as a write of *a, then a read of *b, and then copies:
 * both announcements belong to one step. A plain store is announced by the same write callback, so
 * the machine code has to be looked at: a write callback that is followed by a read callback with
 * no store in between. objdump reads it; a list of return addresses is the result. It is found out
 * when the program is linked, and kept after it in its file, so that those who load the program
 * need not.
 */
#ifndef HEDDLE_TARGETS_NATIVE_COMPOUND_H
#define HEDDLE_TARGETS_NATIVE_COMPOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef VECTOR(uint64_t) address_list;

/* Looks at the program and keeps what was found in its file. False: nothing was kept. */
bool compound_keep(const char *path);

/* Addresses as in the file, and those of instructions that must be replaced
 * (targets/runtime/kernel/instruction.h). `unseen`: some function writes to memory without
 * announcing anything, as those with the attribute no_sanitize_thread do. False if the disassembler
 * could not be run. */
bool compound_find(const char *path, address_list *addresses, address_list *external, bool *unseen);

#endif
