/* What the parts of POP share: pop.c runs executions and finds the races to reverse, pop_tree.c
 * builds and queries the sleep-set trees of the schedules, pop_work.c gives work items to other
 * processes. */
#ifndef HEDDLE_DPOR_POP_POP_H
#define HEDDLE_DPOR_POP_POP_H

#include "dpor/pop/pop_bytes.h"
#include "dpor/pop/pop_item.h"
#include "dpor/pop/pop_path.h"
#include "dpor/race.h"
#include "dpor/sleep_tree.h"
#include "explore/blocked.h"

/* The second event of a race, real or pending. */
typedef struct late_event {
    uint32_t position; /* where it is, or would be */
    uint32_t thread;
    uint32_t index;
    bool real;
    operation operation; /* as it is in E */
} late_event;

/* A tree that sleeps after the schedule that is being made: a copy that has been updated with the
 * schedule, or, if it is `shared`, the tree of an earlier head, which has not. */
typedef struct sleeping_tree {
    sleep_tree *tree;
    bool shared;
} sleeping_tree;

typedef struct pop_check pop_check;

typedef struct pop {
    strategy base;
    item_pool pool;
    item_list items;   /* the oldest first */
    item_list put_off; /* those that are deferred and run together (pop_order.h) */
    uint32_t resumed;  /* those of `items` from here on are not deferred again; 0: all may be */
    uint64_t owed;   /* how many items there are, counted separately to detect items lost to a wild
                        write */
    work_item *item; /* being run */
    pop_path path;   /* the current execution as that item prescribes it */
    position_list races;
    position_list accepted; /* of these, those that the late event could have preceded */
    VECTOR(uint32_t) past;  /* clock of the late event in its new place */
    position_list schedule; /* σ without its head */
    blocked_list blocked;   /* at the end of the current execution */
    VECTOR(sleeping_tree) asleep;
    bool unsuited;    /* the program has steps that access other objects in other states */
    bool took_bytes;  /* some work came as bytes, which cannot be trusted */
    bool foreign;     /* that work does not fit this program */
    pop_check *check; /* debug builds only: pop_check.h */
} pop;

static inline const execution *execution_of(const pop *p) {
    return &p->base.exploration->execution;
}

/* The event is in the past of the late event in its new place. */
static inline bool in_past(const pop *p, uint32_t position) {
    const event *e = execution_event(execution_of(p), position);
    return vector_at(&p->past, e->thread) > e->index;
}

/* Lines 7-8: fills p->asleep with SSChar[E1.σ], the latest tree first; false if σ is blocked.
 * `several` is set if that is because of a tree whose base accesses several objects. */
bool pop_pass_sleep_sets(pop *, uint32_t first, const operation *, const tree_event *head,
                         bool *several);

/* The record of the head, which takes over its tree (may be NULL) and what is in p->asleep. NULL:
 * there is nothing to record. */
head_record *pop_record_head(pop *, sleep_tree *, bool sleeps, const tree_event *head);

/* Rule B3: the head needs no tree with this base. */
bool pop_overwrites(const operation *head, footprint base);

/* Algorithm 2, MkSchedChar: the tree of the schedule σ that ends with `head`. */
sleep_tree *pop_make_tree(pop *, const late_event *, uint32_t first, const tree_event *head);

/* The items, for other processes: pop_work.c. */
extern const strategy_work pop_work;

#endif
