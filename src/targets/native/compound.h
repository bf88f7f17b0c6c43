/* Struct copies. gcc announces `*a = *b` as a write of *a, then a read of *b, and then copies:
 * both announcements belong to one step. A plain store is announced by the same write callback, so
 * the machine code has to be examined: a write callback that is followed by a read callback with
 * no store in between. objdump reads it; a list of return addresses is the result. This is done
 * when the program is linked, and the result is appended to its file, so that it need not be done
 * when the program is loaded. */
#ifndef HEDDLE_TARGETS_NATIVE_COMPOUND_H
#define HEDDLE_TARGETS_NATIVE_COMPOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef VECTOR(uint64_t) address_list;

/* Examines the program and stores the result in its file. False: nothing was stored. */
bool compound_keep(const char *path);

/* Addresses as in the file, and those of instructions that must be replaced
 * (targets/runtime/kernel/instruction.h). `unseen`: some function writes to memory without
 * announcing anything, as those with the attribute no_sanitize_thread do. False if the disassembler
 * could not be run. */
bool compound_find(const char *path, address_list *addresses, address_list *external, bool *unseen);

#endif
