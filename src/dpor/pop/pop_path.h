/* The current run of POP as prescribed by its item and the ancestors of that: the steps of E1.σ,
 * their marks, and the schedule heads among them. Going from one item to the next touches only what
 * they do not share. */
#ifndef HEDDLE_DPOR_POP_POP_PATH_H
#define HEDDLE_DPOR_POP_POP_PATH_H

#include "dpor/pop/pop_item.h"
#include "dpor/race.h"

typedef struct placed_head {
    uint32_t position;
    head_record *record;
} placed_head;

typedef struct pop_path {
    VECTOR(step) steps;        /* E1.σ */
    VECTOR(uint8_t) marks;     /* of these, and of the steps that were taken after them */
    position_list limits;      /* those with MARK_LIMIT */
    VECTOR(placed_head) heads; /* that have records; by position */
} pop_path;

void path_free(pop_path *);

/* Changes from the path of another item, with which it has the first `common` steps in common. */
void path_follow(pop_path *, const work_item *, uint32_t common);

/* Marks and lists agree about the steps; for debug builds. */
void path_check(const pop_path *, const work_item *);

/* The record of the head at `position`, or NULL. */
head_record *path_record(const pop_path *, uint32_t position);

#endif
