/* The files whose functions only the user's program calls would be left out of a link with the
 * static library. Each has an empty function that runtime_open names. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_EXPORTS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_EXPORTS_H

void runtime_link_tsan(void);
void runtime_link_atomics(void);
void runtime_link_nondet(void);
void runtime_link_atomic_function(void);
void runtime_link_announce(void);
void runtime_link_frame(void);

#endif
