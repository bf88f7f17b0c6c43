/* In debug builds: the redundancy test of observed_search.h, which is one pass of a watch, against
 * Definition 3 of TACAS 2018. For every prefix w of E' and every step p that has been explored to
 * its end after w, the rest of E' followed by the planned sequence is run, and happens-before of
 * the whole is computed again, to see whether p is a weak initial. The same for the test that
 * decides which child of the wakeup tree a sequence follows.
 *
 * Answers are recorded when they are given and checked at the end of the execution, because
 * checking uses the target. Programs with very many are no longer checked after a while. */
#ifndef HEDDLE_DPOR_OBSERVERS_OBSERVED_CHECK_H
#define HEDDLE_DPOR_OBSERVERS_OBSERVED_CHECK_H

#include "explore/exploration.h"

typedef struct observed_check observed_check;

#ifdef HEDDLE_DEBUG

observed_check *observed_check_new(void);
void observed_check_free(observed_check *);

/* The step has been explored to its end after the first `length` events; what was explored after
 * longer prefixes no longer matters. */
void observed_check_done(observed_check *, uint32_t length, step);

/* The test has found a sequence after the first `length` events redundant, or not; its steps are
 * then added one by one. */
void observed_check_redundant(observed_check *, uint32_t length, bool redundant);
/* The test has found `child` to be a weak initial, or not, of a sequence that comes after the first
 * `length` events and `path_count` more steps; all those are then added one by one. */
void observed_check_child(observed_check *, uint32_t length, uint32_t path_count, step child,
                          bool is_weak_initial);
void observed_check_step(observed_check *, step);

/* Checks all answers. */
void observed_check_all(observed_check *, exploration *);

#else

static inline observed_check *observed_check_new(void) {
    return NULL;
}
static inline void observed_check_free(observed_check *c) {
    (void)c;
}
static inline void observed_check_done(observed_check *c, uint32_t length, step done) {
    (void)c, (void)length, (void)done;
}
static inline void observed_check_redundant(observed_check *c, uint32_t length, bool redundant) {
    (void)c, (void)length, (void)redundant;
}
static inline void observed_check_child(observed_check *c, uint32_t length, uint32_t path_count,
                                        step child, bool is_weak_initial) {
    (void)c, (void)length, (void)path_count, (void)child, (void)is_weak_initial;
}
static inline void observed_check_step(observed_check *c, step next) {
    (void)c, (void)next;
}
static inline void observed_check_all(observed_check *c, exploration *x) {
    (void)c, (void)x;
}

#endif
#endif
