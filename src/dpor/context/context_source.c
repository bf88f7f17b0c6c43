/* Context-sensitive source-DPOR (after Albert et al., CAV 2017): executions in normal form, by
 * source sets (JACM 2017, Algorithm 1). Of a sequence that reverses a race only the first step is
 * planned, so explorations may turn out to be redundant. Only a step of the sequence itself covers
 * it: a step that is merely independent of it leads to some of what comes after the sequence, but
 * not to all of it.
 *
 * The don't-do sets of CAV 2017 are not used: an execution that begins with a sequence of such a
 * set is left out because it is explored elsewhere, but there it may be left out for the same
 * reason (docs/ALGORITHMS.md). */
#include "dpor/context/normal_form.h"

static bool is_initial(search *s, uint32_t thread, uint32_t choice, footprint f) {
    return reversal_initial(&s->reversal, thread, choice, f) == INITIAL_INSIDE;
}

/* Line 8: an initial of the sequence sleeps after E' or is planned there. */
static bool is_covered(search *s) {
    const sleep_stack *sleep = &((search_sleep *)s)->sleep;
    uint32_t length = s->reversal.position;
    const sleeper *end = sleep_end(sleep, length);
    for (const sleeper *q = sleep_begin(sleep, length); q < end; q++) {
        if (is_initial(s, q->thread, q->choice, q->footprint)) {
            return true;
        }
    }
    const wakeup_node *root = wakeup_at(&s->forest, vector_at(&s->roots, length)), *child;
    for (uint32_t at = root->first_child; at != WAKEUP_NONE; at = child->next_sibling) {
        child = wakeup_at(&s->forest, at);
        if (is_initial(s, child->thread, child->choice, child->footprint)) {
            return true;
        }
    }
    return false;
}

/* Line 9. */
static void insert_first(search *s) {
    const reversal *r = &s->reversal;
    uint32_t at = 0, position;
    CHECK(reversal_left(r, &at, &position));
    sleeper first = position == POSITION_NONE
                        ? (sleeper){r->last_thread, r->last_choice, r->last_footprint}
                        : sequence_step_of(execution_event(r->execution, position));
    uint32_t node = wakeup_new(&s->forest, first.thread, first.choice, first.footprint);
    wakeup_append(&s->forest, vector_at(&s->roots, r->position), node);
}

static const normal_form_plan source_sets = {is_covered, insert_first};

static void context_source_init(strategy *s) {
    normal_form_init(s, &source_sets);
}

extern const strategy_class strategy_context_source;
const strategy_class strategy_context_source = {
    .name = "context-source",
    .summary = "context-sensitive source-DPOR: every final state, not every trace (CAV 2017)",
    .init = context_source_init,
    NORMAL_FORM_STRATEGY,
};
