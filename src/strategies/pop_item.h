/* Work items of POP: everything that is needed to go on from E1.σ. Items do not refer to each other
 * nor to the execution that they came from, only to trees and records that never change, so they
 * can be taken in any order, and by anyone. */
#ifndef HEDDLE_STRATEGIES_POP_ITEM_H
#define HEDDLE_STRATEGIES_POP_ITEM_H

#include "core/sleep_tree.h"
#include "explore/strategy.h"

enum mark {
    MARK_SCHEDULE = 1, /* the event is in a schedule */
    MARK_HEAD = 2,     /* and is its head */
    MARK_STALE = 4,    /* what does not depend on it cannot race past it (freshness) */
};

/* What is remembered of a schedule head that is not a plain write. Shared, immutable. */
typedef struct head_record {
    uint32_t references;
    sleep_tree *tree;            /* SchedChar of the schedule (line 10), or NULL */
    VECTOR(sleep_tree *) asleep; /* SSChar[E1.σ] (lines 8 and 11) */
    struct head_record *next_free;
} head_record;

typedef struct placed_head {
    uint32_t position;
    head_record *record;
} placed_head;

typedef struct work_item {
    VECTOR(step) steps;        /* E1.σ */
    VECTOR(uint8_t) marks;     /* of each of them */
    VECTOR(placed_head) heads; /* by position */
    bool head_races;           /* the head takes part in races as their second event */
    bool phantom;              /* only the races of the head are wanted, not what follows it */
} work_item;

/* Items, records and trees are recycled: in the steady state nothing is allocated. */
typedef struct item_pool {
    VECTOR(work_item *) spare;
    head_record *free_records;
    tree_pool trees;
} item_pool;

void item_pool_free(item_pool *);

/* An empty item. */
work_item *item_new(item_pool *);
void item_release(item_pool *, work_item *);

/* An item that starts like the execution, up to `length`, whose marks and heads these are. */
work_item *item_fork(item_pool *, const execution *, uint32_t length, const uint8_t *marks,
                     const work_item *heads);
void item_add(work_item *, step, uint8_t marks);

/* The record of the head at `position`, or NULL. */
head_record *item_record(const work_item *, uint32_t position);
head_record *record_new(item_pool *);

#endif
