/* Where the program begins: main with its arguments, or a function of the program that is checked
 * in its place (--function), with a copy of the bytes that its argument points to. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_ENTRY_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_ENTRY_H

#include "targets/runtime/kernel/runtime.h"

/* The size of its arguments, which lie at the top of main's stack because it may change them. */
size_t entry_size(void);
void entry_place(runtime_thread *);

/* Runs the constructors, and then main or the function. Returns the status that the program ends
 * with. */
int entry_call(const runtime_thread *);

#endif
