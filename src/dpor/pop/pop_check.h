/* In debug builds: checks the trees of POP against the sleep sets that they represent, as explicit
 * sets of schedules by definition (CAV 2024, section 4.3).
 *
 * All schedules that were formed are kept, with the run and the place where their race was found,
 * so that the order ∝ of two schedules that reverse races with one event can be decided by
 * comparing paths in the tree of runs. A schedule must be rejected iff, together with the schedules
 * right before it, it contains one that comes earlier than one of those. Since items may run in any
 * order, this is known, and checked, only when everything has been explored.
 *
 * It takes memory for every execution, so the check is abandoned for programs with many. */
#ifndef HEDDLE_DPOR_POP_POP_CHECK_H
#define HEDDLE_DPOR_POP_POP_CHECK_H

#include "dpor/pop/pop.h"

#ifdef HEDDLE_DEBUG

void pop_check_start(pop *);
void pop_check_free(pop *);

/* The item will be run next. */
void pop_check_run(pop *, const work_item *);

/* p->schedule and `head` reverse the race of `first` with `late`. If they are not `rejected`, they
 * are a schedule; if there is an item, it is a run. The schedule `sleeps` if it has a tree. */
void pop_check_schedule(pop *, const late_event *late, uint32_t first, const tree_event *head,
                        const work_item *, bool rejected, bool sleeps);

/* The item continues like the current execution, with another alternative of the next step. */
void pop_check_alternative(pop *, const work_item *);

/* Work came from another process or went to one: not all schedules are known here. */
void pop_check_give_up(pop *);

/* Everything has been explored. */
void pop_check_all(pop *);

#else

static inline void pop_check_start(pop *p) {
    (void)p;
}
static inline void pop_check_free(pop *p) {
    (void)p;
}
static inline void pop_check_run(pop *p, const work_item *item) {
    (void)p, (void)item;
}
static inline void pop_check_schedule(pop *p, const late_event *late, uint32_t first,
                                      const tree_event *head, const work_item *item, bool rejected,
                                      bool sleeps) {
    (void)p, (void)late, (void)first, (void)head, (void)item, (void)rejected, (void)sleeps;
}
static inline void pop_check_alternative(pop *p, const work_item *item) {
    (void)p, (void)item;
}
static inline void pop_check_give_up(pop *p) {
    (void)p;
}
static inline void pop_check_all(pop *p) {
    (void)p;
}

#endif
#endif
