/* Which registers hold nothing when a function begins, although its caller may pass arguments in
 * them: a call inserted there keeps all of them on the stack, where what earlier calls have left
 * would make local states look different (targets/runtime/kernel/spin.h). Read from the
 * instructions up to the first call or jump. */
#ifndef HEDDLE_TARGETS_NATIVE_ENTRY_REGISTERS_H
#define HEDDLE_TARGETS_NATIVE_ENTRY_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct entry_registers {
    uint32_t used, unused; /* a bit for each register; neither: unknown, so used perhaps */
} entry_registers;

/* The next line of the function. False: nothing can be learnt from the lines after it. */
bool entry_registers_pass(entry_registers *, const char *line);

/* Writes instructions that clear those that hold nothing. */
void entry_registers_clear(const entry_registers *, FILE *out);

#endif
