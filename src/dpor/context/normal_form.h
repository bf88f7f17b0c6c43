/* Executions in normal form: what the context-sensitive strategies explore (after CAV 2017 and
 * ISSTA 2019; docs/ALGORITHMS.md has the proof).
 *
 * If both orders of a race lead to the same state, and each of the two steps accesses the same
 * objects in both, only one order is followed. The first such race of the two events decides which
 * one, for the whole search. A step that would complete the other order is not allowed, unless
 * something that conflicts with it comes between. Whether a step is allowed depends on its causal
 * past alone; and an execution with steps that are not allowed can be transformed into one without
 * them that ends in the same state, by swapping one pair at a time, because every swap leaves fewer
 * pairs in the wrong order.
 *
 * So the strategies differ only in what they keep of a sequence that reverses a race. */
#ifndef HEDDLE_DPOR_CONTEXT_NORMAL_FORM_H
#define HEDDLE_DPOR_CONTEXT_NORMAL_FORM_H

#include "dpor/comparison.h"
#include "dpor/preference.h"
#include "dpor/race.h"
#include "dpor/search_sleep.h"

/* What is done with search.reversal, E'.v. */
typedef struct normal_form_plan {
    bool (*is_covered)(search *); /* by what is explored or planned after E' */
    void (*insert)(search *);
} normal_form_plan;

typedef struct context {
    search_sleep sleep; /* first: a context is a search with sleep sets */
    preference_table preferences;
    comparison comparison;
    execution placed; /* E'.w, where a reversed step is examined */
    position_list rivals;
    saved_reversal whole; /* the reversal, while it is made smaller */
    kept_operation kept;
    const normal_form_plan *plan;
    uint32_t attempts;
} context;

/* POSITION_NONE if the step, at the end of the execution, keeps it in normal form; otherwise the
 * event that it should have come before. The first `shared` events are those of the present
 * execution. */
uint32_t normal_form_objection(context *, const execution *, uint32_t shared, uint32_t thread,
                               uint32_t choice, const operation *);

/* The rule's `reverse` (normal_form_parts.c). */
void normal_form_reverse(search *, uint32_t thread, const operation *, uint32_t second);

/* The objects that it accesses depend on its place; a compare-and-swap or an await accesses the
 * same object everywhere. */
static inline bool normal_form_varies(const operation *op) {
    return op->flags & OPERATION_VARIES && !(op->flags & OPERATION_BLOCKS) &&
           !operation_has_role(op->kind, ROLE_COMPARES | ROLE_AWAITS);
}

void normal_form_init(strategy *, const normal_form_plan *);
void normal_form_free(strategy *);

#define NORMAL_FORM_STRATEGY                                                                 \
    .fallback = "optimal",                                                                   \
    .unsuited = "a step that conflicts in too many ways with steps that do not conflict",    \
    .states_only = true, .size = sizeof(context), .free = normal_form_free, SEARCH_STRATEGY, \
    .ended = search_ended

#endif
