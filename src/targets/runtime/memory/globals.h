/* The program's writable segments, restored at every reset.
 *
 * Small ones are copied as a whole. Of large ones only the pages that were ever written, in chunks
 * of several if there are many: they start out read-only, and the first write to one faults, which
 * marks it and lets it through. After the first executions nothing faults. Rejected: an undo log,
 * because code that is not instrumented (libc, assembly) writes too. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_GLOBALS_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

struct state_cursor;

void globals_open(void);
void globals_close(void);
void globals_reset(void);

/* Nothing is restored from now on: the program will be unloaded. */
void globals_unwatch(void);

/* What the program may have written to since it was loaded. */
void globals_visit(void (*visit)(void *context, uintptr_t low, uintptr_t high), void *context);

/* From the fault handler: true if this was the first write to a page, which may now continue. */
bool globals_fault(uintptr_t address);

/* Part of the state; see state.h. */
void globals_pass(struct state_cursor *c);

#endif
