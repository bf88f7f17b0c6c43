/* Instructions whose results do not come from the program: the time stamp counter, the processor's
 * random numbers, the number of the processor. Builtins and inline assembly contain them; no
 * function is called. Each is replaced in the loaded program by one that faults, and the handler
 * gives the answer that the corresponding function of libc would give: virtual time, numbers from
 * the thread's own sequence, processor 0.
 *
 * Rejected: prctl(PR_SET_TSC), which would catch heddle's and libc's own uses and knows no random
 * numbers. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_INSTRUCTION_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Whether the disassembler's name is one of theirs. */
bool instruction_is_external(const char *name);

/* Replaces the one at this address. */
void instruction_replace(uintptr_t address);

/* Forgets all. */
void instruction_close(void);

/* An execution begins: if some instruction could not be replaced, a limit was reached. */
void instruction_check(void);

/* From the handler of illegal instructions: true if it was one of ours, which has been done. */
bool instruction_trapped(ucontext_t *context);

#endif
