/* Constructors and destructors are part of every execution: main runs the former before it begins,
 * and the thread that ends the program the latter. They may create threads, lock, read clocks.
 *
 * The loader must not run them, so the linked program declares none; where they are is still in its
 * section headers. */
#ifndef HEDDLE_TARGETS_NATIVE_CONSTRUCTORS_H
#define HEDDLE_TARGETS_NATIVE_CONSTRUCTORS_H

#include <stdbool.h>
#include <stdint.h>

/* Hides them from the loader, in the linked file. */
bool constructors_hide(const char *path);

/* Notifies the runtime of those of the program that was loaded at `base`. */
void constructors_find(const char *path, uintptr_t base);

#endif
