/* Ends of threads and of the program, and what heddle offers the program itself. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_PROCESS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Where the code of main ends: the place of a status that it returns. 0: unknown. */
extern uintptr_t process_main_end;

/* Some execution ended with a status other than 0. */
extern bool process_failed;

/* One of 0..count-1, as the explorer decides; 0 before the program has begun. */
unsigned process_choose(unsigned count, uint32_t location);

/* The effect of a signal without handler: none, or the end of the program. */
void process_default_signal(int number, uint32_t location);

#endif
