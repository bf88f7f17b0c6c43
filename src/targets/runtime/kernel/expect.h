/* What a program may do, known from the functions that it refers to before it runs: whether it
 * looks at clocks (clock.h) and changes what libc keeps for it (hidden.h). Its executions then have
 * the same steps from the first one on, in an exploration as in a replay. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_EXPECT_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_EXPECT_H

/* The program refers to this function of the runtime's. */
void expect_function(const char *name);

/* It looks at a clock. */
void expect_clock(void);

#endif
