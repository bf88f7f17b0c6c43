/* A thread's own memory: its stack, above it its thread-local variables, above those main's
 * arguments. It has the same contents whenever the thread starts, regardless of earlier executions.
 *
 * How deep a stack was used cannot be seen at events: code goes deeper and comes back in between,
 * and a thread may have no event at all. So the pages of a stack start out inaccessible, the first
 * use of one faults, and everything from the deepest page that was used is cleared at the start. A
 * page begins a little below the thread-local variables: a thread with few frames has little to
 * clear, and to copy where steps are logged. From time to time the deep pages are made inaccessible
 * again, because one deep call must not make all later executions slow.
 *
 * Everything above a page that was used is accessible. A call pushes its return address below all
 * buffers that are in use, so the kernel never finds one of them inaccessible (EFAULT).
 *
 * Rejected: the least stack pointer seen at an event; clearing the whole stack, or giving it back
 * to the kernel, which costs a system call per thread and execution. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_STACK_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_STACK_H

#include "targets/runtime/kernel/runtime.h"

/* Makes the memory of a thread that starts; `above` is the size of what lies on top. */
void stack_prepare(runtime_thread *t, size_t above);

/* The first byte above the thread-local variables. */
uintptr_t stack_above(const runtime_thread *t);

/* The stack is about to be copied: from time to time its deep pages are released if they are
 * zeroes, as they mostly are after a deep call that was undone. */
void stack_trim(runtime_thread *t);

/* The stack is about to be written from `low` on, down to which it was used before. */
void stack_extend(runtime_thread *t, uintptr_t low);

/* From the fault handler: true if this was the first use of a page, which may now continue. */
bool stack_fault(uintptr_t address);

#endif
