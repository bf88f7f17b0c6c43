/* Work items of POP: everything that is needed to continue from E1.σ.
 *
 * Items form a tree. An item starts like the run of its parent, in which its race was found, and
 * stores only the steps after the shared prefix; a finished run stores the steps that its children
 * share. Memory is therefore linear in the length of executions, however many races they have.
 * Rejected: items with all their steps, which copied and compared whole prefixes and took gigabytes
 * for long executions. Items can be taken in any order: an item and its ancestors contain
 * everything. */
#ifndef HEDDLE_DPOR_POP_POP_ITEM_H
#define HEDDLE_DPOR_POP_POP_ITEM_H

#include "dpor/sleep_tree.h"
#include "explore/strategy.h"

enum mark {
    MARK_SCHEDULE = 1, /* the event is in a schedule */
    MARK_HEAD = 2,     /* it is the head of one */
    MARK_LIMIT = 4,    /* what does not depend on it cannot race past it (freshness) */
    MARK_ALL = 7,
};

/* What is remembered of a schedule head that is not a plain write. */
typedef struct head_record {
    sleep_tree *tree;            /* SchedChar of the schedule (line 10), or NULL */
    VECTOR(sleep_tree *) asleep; /* SSChar[E1.σ] (lines 8 and 11) */
    struct head_record *next_free;
} head_record;

typedef struct work_item {
    struct work_item *parent; /* NULL: the first item, which shares nothing */
    uint32_t depth;           /* the number of its ancestors */
    uint32_t shared;          /* steps that it has in common with its parent's run: E1 */
    uint32_t scripted;        /* the length of E1.σ */
    VECTOR(step) steps;       /* of σ; after the run, all steps that children share */
    VECTOR(uint8_t) marks;    /* of σ; later steps have none */
    head_record *record;      /* of the head, which is the last step of σ; or NULL */
    bool head_races;          /* the head takes part in races as their second event */
    bool phantom;             /* only the races of the head are wanted, not what follows it */
    bool finished;            /* the run has ended */
    bool foreign;             /* it came as bytes: its steps are tried before they are taken */
    uint32_t place;           /* while items are written: where it is among them, or 0 */

    struct work_item *children, *next, *previous; /* siblings */
    uint32_t child_count;
    uint32_t trim_count; /* memory is freed next when only this many children are left */
} work_item;

/* Items, records and trees are recycled: in the steady state nothing is allocated. */
typedef struct item_pool {
    VECTOR(work_item *) spare;
    head_record *free_records;
    tree_pool trees;
} item_pool;

void item_pool_free(item_pool *);

/* Frees what is not in use. */
void item_pool_trim(item_pool *);

/* An item that shares the first `shared` steps of a run: its parent is that run's item or, if those
 * steps are older, the ancestor that they came from. */
work_item *item_new(item_pool *, work_item *run, uint32_t shared);

/* An item that came as bytes; its parent has been restored before. */
work_item *item_restore(item_pool *, work_item *parent, uint32_t shared);

/* Adds a step to σ. */
void item_add(work_item *, step, uint8_t marks);

/* The run of the item is that execution, and continues: stores what its children share with it so
 * far. */
void item_keep(work_item *, const execution *);

/* The run of the item, which was that execution, has ended: stores what its children need. */
void item_finish(item_pool *, work_item *, const execution *);

/* The item will not be run, or not to its end. */
void item_drop(item_pool *, work_item *);

/* How many steps the runs of both are known to have in common. */
uint32_t item_common(const work_item *, const work_item *);

head_record *record_new(item_pool *);

/* Checks the links and lengths of an item; for debug builds. */
void item_check(const work_item *);

typedef VECTOR(work_item *) item_list;

/* Sorts the items from `from` on, which come from one execution, so that the last is the best one
 * to run next: items that share much more with the execution than others come after those, because
 * execution and target then go back by little. */
void item_list_sort(item_list *, uint32_t from);

#endif
