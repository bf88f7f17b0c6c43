/* Faults of the program are findings. A signal in a fiber abandons it: the handler, on a separate
 * stack, returns control to the scheduler as if the fiber had switched to it. A timer does the same
 * to a fiber that runs for too long without an event. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_FAULT_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_FAULT_H

#include "targets/runtime/kernel/runtime.h"

void fault_open(void);
void fault_close(void);

/* Turns runtime.fault into the error of this thread. */
void fault_finish(runtime_thread *t);

/* Describes what the code at this location accessed by an address near 0: " (null pointer: n in
 * n->next)". Writes nothing if that is unknown. Set by the target, which knows the source. */
extern void (*fault_describe)(uintptr_t address, uint32_t location, bool writes, char *words,
                              size_t size);

#endif
