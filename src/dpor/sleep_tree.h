/* The sleep-set characterization of POP, as a tree (POP, CAV 2024, section 4.3 and Algorithm 2,
 * corrected and generalised as docs/ALGORITHMS.md describes).
 *
 * When a race (e, e') is reversed and the new head does not write all that e accesses, a tree
 * records which other reversals of races with e must not be completed after it, because they are
 * explored elsewhere: those whose head comes earlier in the execution where the race was found,
 * conflicts with it, or is inherited from the schedules in it. A tree grows with the distance of
 * the race, not with the number of schedules that it represents.
 *
 * Events are named by thread and index. A set of events of which only "does one of them happen
 * before g" is ever asked is kept as the least index per thread, which is one pass over a clock. */
#ifndef HEDDLE_DPOR_SLEEP_TREE_H
#define HEDDLE_DPOR_SLEEP_TREE_H

#include "core/execution.h"

/* When a step of a spin loop could be taken, which is only known by trying. */
typedef struct tree_condition {
    bool (*holds)(const struct tree_condition *, uint64_t value);
} tree_condition;

/* An event as trees see it. */
typedef struct tree_event {
    uint32_t thread;
    uint32_t index;
    uint32_t choice;
    uint8_t kind;
    uint8_t compare;
    footprint footprint;
    uint64_t expected; /* of a compare-and-swap or an await */
    const uint32_t *clock;
    const tree_condition *condition; /* of a step in a spin loop, or NULL */
} tree_event;

typedef struct tree_item {
    uint32_t thread;
    uint32_t index;
    uint32_t choice;
    footprint footprint;
    bool done;    /* the event has occurred */
    bool blocked; /* it was still blocked at the end of the execution in which the race was found */
    uint32_t tainted; /* C: a set of events, 0 while it is empty */
} tree_item;

typedef struct sleep_tree sleep_tree;

/* A schedule in the execution of the race, and what follows it up to the next one. Part 0 has no
 * head. */
typedef struct tree_part {
    uint32_t head_thread, head_index;
    sleep_tree *inherited; /* owned; NULL if the head has no tree */
    uint32_t heads;        /* D: a set of events, 0 while it is empty */
    uint32_t end;          /* of its items in the tree's */
} tree_part;

#define TREE_BASE UINT32_MAX

/* In a set: the thread has no event there. Greater than every index. */
#define TREE_NO_INDEX INT32_MAX

typedef struct tree_value {
    uint32_t item; /* before which the object holds it, or TREE_BASE */
    uint32_t object;
    uint64_t value;
} tree_value;

struct sleep_tree {
    uint32_t references;
    uint32_t stride;
    uint32_t base_thread, base_index;
    footprint base_footprint;
    bool base_done;
    bool quiet;                /* one part, whose items are quiet; no values, no set but R */
    VECTOR(tree_value) values; /* what the objects of the base hold just after it */
    VECTOR(tree_value) before; /* just before it, then just before each item, for awaits */
    VECTOR(tree_part) parts;
    VECTOR(tree_item) items;
    VECTOR(uint32_t) sets; /* of events, a row of `stride` each; row 0 is R */
    sleep_tree *next_free;
};

/* Trees are recycled: in the steady state nothing is allocated. */
typedef struct tree_pool {
    sleep_tree *free;
    uint32_t count; /* trees in use */
} tree_pool;

void tree_pool_free(tree_pool *);

/* Frees what is not in use. */
void tree_pool_trim(tree_pool *);

/* An empty tree with one reference. */
sleep_tree *tree_new(tree_pool *, uint32_t stride);
sleep_tree *tree_copy(tree_pool *, const sleep_tree *);
static inline sleep_tree *tree_share(sleep_tree *t) {
    t->references++;
    return t;
}
void tree_release(tree_pool *, sleep_tree *);

/* Rows, parts and items of a tree, and of those that it inherits, refer to each other consistently;
 * for debug builds. */
void tree_check(const sleep_tree *);

void tree_set_base(sleep_tree *, const event *base);
/* What an object holds just after the base, unless that is known already. */
void tree_add_value(sleep_tree *, uint32_t object, uint64_t value);
/* What an object holds just before the base or the latest item. */
void tree_add_before(sleep_tree *, bool base, uint32_t object, uint64_t value);
/* Takes over the reference to `inherited`, which must be the only one. */
void tree_add_part(sleep_tree *, uint32_t head_thread, uint32_t head_index, sleep_tree *inherited);
void tree_add_item(sleep_tree *, const event *);
/* A step that was still blocked at the end. */
void tree_add_blocked(sleep_tree *, const event *);
/* Adds that event to the tree's R. */
void tree_add_related(sleep_tree *, uint32_t thread, uint32_t index);

/* What a step would access if its object held that value; it differs only for a
 * compare-and-swap. */
static inline footprint tree_footprint_at(uint8_t kind, footprint f, uint64_t expected,
                                          uint64_t value) {
    if (!operation_has_role(kind, ROLE_COMPARES) || footprint_is_set(f)) {
        return f;
    }
    memory_access a = footprint_access(f, 0);
    bool same = ((value ^ expected) & access_value_bits(a.bytes)) == 0;
    a.mode = same ? ACCESS_READ_WRITE : ACCESS_READ;
    return footprint_single(a);
}

/* A step that writes nothing, chooses nothing and is the same wherever it is moved. */
static inline bool tree_step_is_quiet(uint8_t flags, uint32_t choice, footprint f) {
    return !(flags & ~(OPERATION_ENABLED | OPERATION_PASSING)) && choice == CHOICE_NONE &&
           !footprint_is_set(f) && !(f & FOOTPRINT_WRITE_BIT);
}

/* A new, empty set; returns its row. */
uint32_t tree_add_set(sleep_tree *);

/* Updates the tree with the next event. True: the event completes a schedule that must not be
 * completed. */
bool tree_update(sleep_tree *, const tree_event *);

/* What tree_update would return for a quiet step and a quiet tree; it would only change R, or mark
 * an item as having occurred. */
bool tree_forbids(const sleep_tree *, const tree_event *);

/* Everything that this quiet tree will forbid is also forbidden by `other`, a quiet tree that was
 * just built with the same base, once quiet steps and then `head` have happened, none of which this
 * tree forbids. docs/ALGORITHMS.md explains why. */
bool tree_is_covered(const sleep_tree *, const sleep_tree *other, const tree_event *head);

/* The same for a tree that another one will inherit. */
void tree_advance(sleep_tree *, const tree_event *);

#endif
