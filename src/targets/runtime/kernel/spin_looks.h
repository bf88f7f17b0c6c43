/* Where the void sections of a loop look (spin_section.h), in whatever state the program is.
 *
 * `if (trylock(b)) { if (trylock(c)) ...` looks at b alone while b is held, and at c as well once
 * it is not. Whoever takes c first and b then must be moved away from there, although the thread
 * waits for b in the end: so all these places count as what the waiting operation depends on. They
 * become known one after the other: before the changes of those that are known the section ends
 * otherwise, or it is void again and looks at more. The exploration starts over for each. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_LOOKS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_LOOKS_H

#include "targets/runtime/kernel/spin_table.h"

void spin_looks_close(void);

/* The section that the thread's pending operation begins looks there. */
void spin_looks_learn(const runtime_thread *, const spin_read *place);

/* The next of these places, or NULL; *at is 0 at the beginning. */
const spin_read *spin_looks_next(const runtime_thread *, uint32_t *at);

/* A look at memory. The functions return the next one, and add one that another process has found.
 * Objects have other numbers there: looks at them are found again. */
typedef struct spin_known_look {
    uintptr_t address;
    uint8_t bytes;
    uint32_t thread, location;
} spin_known_look;

bool spin_looks_known(uint32_t *at, spin_known_look *);
void spin_looks_expect(const spin_known_look *);

#endif
