/* Streaks: plain accesses in passing by one place in the program to consecutive memory, as in a
 * loop over an array. Reads and writes are separate: a call of a libc function may do both.
 *
 * Everything about such accesses is known in advance, except whether they happen: that the memory
 * is live and not a stack, the history of its bytes, and the history after the access. So heddle
 * checks some hundred bytes at a time and logs their old contents and histories at once; an access
 * then costs a few comparisons and a new word for the race detector. Words must not change before
 * their accesses, because the loop may end before; logging a word that does not change does no
 * harm.
 *
 * This knowledge is valid for one stretch (runtime.stretch), like known accesses (access.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_STREAK_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_STREAK_H

#include <string.h>

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/race/histories.h"

typedef struct access_streak {
    const void *place; /* where the callback returns to */
    uint64_t stretch;
    uintptr_t low, size; /* known so far; size 0: nothing */
    uint32_t *words;     /* of the race detector, for `low` */
    uint64_t was, is;    /* a word before and after an access, twice */
    uintptr_t last;      /* the latest access that was not known */
    uintptr_t stride;    /* from one access to the next */
    uintptr_t room;      /* so much is looked at next time */
    bool is_short;       /* so far: its accesses are made known, as they may come again */
} access_streak;

enum { STREAKS = 64 };

extern access_streak streaks[2][STREAKS]; /* of reads, of writes */

static inline access_streak *streak_of(const void *place, uint8_t mode) {
    return &streaks[mode != ACCESS_READ][(uintptr_t)place % STREAKS];
}

/* The access continues with the streak; its words are then changed. */
static inline __attribute__((always_inline)) bool streak_has(const access_streak *s,
                                                             uintptr_t address, size_t size,
                                                             const void *place) {
    uintptr_t offset = address - s->low;
    if ((size != 4 && size != 8) || offset >= s->size || s->place != place ||
        s->stretch != runtime.stretch || address % size) {
        return false;
    }
    uint64_t words = 0;
    unsigned char *at = (unsigned char *)s->words + offset;
    memcpy(&words, at, size);
    if (words != (size == 4 ? (uint32_t)s->was : s->was)) {
        return false;
    }
    DEBUG_CHECK(!runtime.thorough && !runtime.spinning && runtime.current);
    memcpy(at, &s->is, size);
    return true;
}

/* Such an access was made, in the long way, and did to its history what that one had done. `high`:
 * what follows is live up to there at most; 0: extents say so. */
void streak_follow(uintptr_t address, size_t size, uint8_t mode, const void *place,
                   const history_step *alike, uintptr_t high);

#endif
