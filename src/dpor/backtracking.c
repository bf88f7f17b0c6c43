#include "dpor/backtracking.h"

#include "dpor/smaller.h"

void backtracking_init(backtracking *b, race_action *on_race) {
    b->on_race = on_race;
    b->sleeps = on_race != NULL;
    sleep_init(&b->sleep);
    reversal_init(&b->reversal);
}

void backtracking_free(strategy *s) {
    backtracking *b = (backtracking *)s;
    sleep_free(&b->sleep);
    reversal_free(&b->reversal);
    for (uint32_t i = 0; i < b->nodes.count; i++) {
        vector_free(&vector_at(&b->nodes, i).threads);
        vector_free(&vector_at(&b->nodes, i).choices);
    }
    vector_free(&b->nodes);
    vector_free(&b->races);
    kept_operation_free(&b->kept);
}

static void check_node(const backtrack_node *node, const event *taken) {
    CHECK(node->current < node->threads.count && node->current_choice < node->choices.count);
    CHECK(vector_at(&node->threads, node->current) == taken->thread);
    CHECK(vector_at(&node->choices, node->current_choice) == taken->choice);
    for (uint32_t i = 0; i < node->threads.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            CHECK(vector_at(&node->threads, i) != vector_at(&node->threads, j));
        }
    }
}

/* Every prefix of the execution has a node; a node explores one of its threads, and lists no thread
 * twice. */
static void check(const backtracking *b) {
    const execution *e = &b->base.exploration->execution;
    CHECK(b->depth <= b->nodes.count && b->depth >= execution_length(e));
    CHECK(b->depth <= execution_length(e) + 1);
    for (uint32_t length = 0; length < execution_length(e); length++) {
        check_node(&vector_at(&b->nodes, length), execution_event(e, length));
    }
    sleep_check(&b->sleep, e);
}

/* ---- races ---- */

void backtracking_cover(backtracking *b, bool feasible, cover_test *test) {
    reversal *r = &b->reversal;
    backtrack_node *node = &vector_at(&b->nodes, r->position);
    uint32_t at = 0, position, found = UINT32_MAX;
    while (reversal_left(r, &at, &position)) {
        const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
        uint32_t thread = e ? e->thread : r->last_thread;
        uint32_t choice = e ? e->choice : r->last_choice;
        if ((!e && !feasible) || (e && e->index != vector_at(&r->begin, thread)) ||
            reversal_initial(r, thread, choice, FOOTPRINT_EMPTY) != INITIAL_INSIDE) {
            continue;
        }
        enum cover cover = test(b, thread, choice);
        if (cover == COVER_DONE ||
            (cover == COVER_POSSIBLE && vector_contains(&node->threads, thread))) {
            return;
        }
        found = cover == COVER_POSSIBLE && found == UINT32_MAX ? thread : found;
    }
    CHECK(found != UINT32_MAX || !feasible);
    if (found != UINT32_MAX) {
        CHECK(!vector_contains(&node->threads, found));
        vector_push(&node->threads, found);
    }
}

static const operation *probe(backtracking *b, uint32_t thread) {
    const reversal *r = &b->reversal;
    return exploration_probe_events(b->base.exploration, r->position, r->events.items,
                                    r->events.count, thread);
}

static void act(backtracking *b, uint32_t thread, const operation *op) {
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        reversal_set_last(&b->reversal, thread, operation_choice(op, i), op);
        b->on_race(b, true);
    }
}

/* The step that was probed can be taken before e, and conflicts with it. */
static bool can_be_reversed(const backtracking *b, const operation *op) {
    const reversal *r = &b->reversal;
    const event *first = execution_event(r->execution, r->position);
    return operation_enabled(op) && footprint_conflict(first->footprint, op->footprint);
}

typedef struct smaller_place {
    backtracking *backtracking;
    uint32_t thread;
} smaller_place;

static bool try_smaller(void *context) {
    smaller_place *p = context;
    const operation *op = probe(p->backtracking, p->thread);
    bool can = op && can_be_reversed(p->backtracking, op);
    if (can) {
        act(p->backtracking, p->thread, op);
    }
    return can;
}

static void reverse_probed(backtracking *b, uint32_t thread) {
    const operation *op = probe(b, thread);
    if (op && can_be_reversed(b, op)) {
        act(b, thread, op);
    } else if (op && smaller_is_needed(op)) {
        smaller_place p = {b, thread};
        smaller_visit(&b->reversal, thread, op->footprint, try_smaller, &p);
    }
}

/* The race of the event at `position` with the next step of `thread`. */
static void reverse(backtracking *b, uint32_t position, uint32_t thread, const operation *op) {
    reversal *r = &b->reversal;
    reversal_start(r, &b->base.exploration->execution);
    reversal_open(r, position);
    CHECK(execution_event(r->execution, position)->thread != thread);
    if (op->flags & OPERATION_VARIES) {
        reverse_probed(b, thread);
    } else if (reversal_has_causes(r, op->causes, op->cause_count)) {
        act(b, thread, op);
    }
}

/* The latest event on the mutex of an acquisition released it. Nothing can be reversed there, but
 * an algorithm that does not know which operations are ever enabled together has to try. */
static void try_release(backtracking *b, uint32_t thread, const operation *op) {
    const execution *e = &b->base.exploration->execution;
    uint32_t chain = execution_chain(e, execution_length(e), 0, op->object);
    if (op->footprint == FOOTPRINT_EMPTY || !chain) {
        return;
    }
    uint32_t position = vector_at(&e->links, chain - 1).position;
    uint32_t own = execution_thread_events(e, thread);
    const event *release = execution_event(e, position);
    if (release->thread == thread || release->acquired ||
        (own && execution_before(e, position, execution_position(e, thread, own - 1)))) {
        return;
    }
    reversal_start(&b->reversal, e);
    reversal_open(&b->reversal, position);
    reversal_set_last(&b->reversal, thread, CHOICE_NONE, op);
    b->on_race(b, false);
}

/* The races of the step at `position`, or, if that is the length of E, of a pending one. */
static void find_races_at(backtracking *b, uint32_t position, uint32_t thread,
                          const operation *step_operation) {
    const operation *op = operation_keep(&b->kept, step_operation); /* the target will be used */
    race_find(&b->base.exploration->execution, position, thread, op, &b->races);
    for (uint32_t i = 0; i < b->races.count; i++) {
        reverse(b, vector_at(&b->races, i), thread, op);
    }
    if (b->unlocks_race && op->flags & OPERATION_ACQUIRES &&
        position == execution_length(&b->base.exploration->execution)) {
        try_release(b, thread, op);
    }
}

static void find_races(backtracking *b, uint32_t thread, const operation *pending) {
    find_races_at(b, execution_length(&b->base.exploration->execution), thread, pending);
    exploration_synchronise(b->base.exploration);
}

/* Algorithm 3, lines 2-8, and Algorithm 5, lines 2-10: threads that are blocked after E. */
static void find_blocked_races(backtracking *b) {
    target *program = b->base.exploration->target;
    for (uint32_t t = 0, n = program->class->thread_count(program); t < n; t++) {
        const operation *pending = program->class->pending(program, t);
        if (pending && !operation_enabled(pending)) {
            find_races(b, t, pending);
        }
    }
}

/* ---- search ---- */

static bool awake(void *context, uint32_t thread, const operation *pending) {
    backtracking *b = context;
    uint32_t length = execution_length(&b->base.exploration->execution);
    for (uint32_t i = 0; i < operation_alternatives(pending); i++) {
        if (!sleep_contains(&b->sleep, length, thread, operation_choice(pending, i))) {
            return true;
        }
    }
    return false;
}

static void add_all_enabled(backtracking *b, backtrack_node *node) {
    target *program = b->base.exploration->target;
    for (uint32_t t = 0, n = program->class->thread_count(program); t < n; t++) {
        const operation *pending = program->class->pending(program, t);
        if (pending && operation_enabled(pending) && !vector_contains(&node->threads, t)) {
            vector_push(&node->threads, t);
        }
    }
}

/* The alternatives of the node's current thread; the target is at the node, unless it has learnt
 * something on the way back to it: then the step is not taken. */
static void start_thread(backtracking *b, backtrack_node *node) {
    target *program = b->base.exploration->target;
    const operation *pending =
        program->class->pending(program, vector_at(&node->threads, node->current));
    vector_clear(&node->choices);
    if (program->stale) {
        vector_push(&node->choices, 0);
        node->current_choice = 0;
        return;
    }
    bool there = pending && operation_enabled(pending);
    CHECK(there || !exploration_plans_exactly(b->base.exploration));
    for (uint32_t i = 0; there && i < operation_alternatives(pending); i++) {
        vector_push(&node->choices, operation_choice(pending, i));
    }
    node->current_choice = 0;
}

/* The first step that does not sleep, starting with the node's current thread and choice. */
static bool find_awake(backtracking *b, backtrack_node *node, uint32_t length) {
    for (;;) {
        for (; node->current_choice < node->choices.count; node->current_choice++) {
            if (!b->sleeps ||
                !sleep_contains(&b->sleep, length, vector_at(&node->threads, node->current),
                                vector_at(&node->choices, node->current_choice))) {
                return true;
            }
        }
        if (node->current + 1 >= node->threads.count) {
            return false;
        }
        node->current++;
        execution_truncate(&b->base.exploration->execution, length);
        exploration_synchronise(b->base.exploration);
        start_thread(b, node);
    }
}

/* A prefix that was not visited before: lines 2-3 of Algorithm 1. */
static enum decision open_node(backtracking *b) {
    exploration *x = b->base.exploration;
    if (b->on_race) {
        find_blocked_races(b);
    }
    uint32_t thread;
    bool refused;
    if (!exploration_pick(x, awake, b, &thread, &refused)) {
        return refused ? DECISION_REDUNDANT : DECISION_MAXIMAL;
    }
    if (b->nodes.count == b->depth) {
        vector_push(&b->nodes, (backtrack_node){0});
    }
    backtrack_node *node = &vector_at(&b->nodes, b->depth++);
    vector_clear(&node->threads);
    vector_push(&node->threads, thread);
    node->current = 0;
    if (!b->on_race) {
        add_all_enabled(b, node);
    }
    start_thread(b, node);
    CHECK(find_awake(b, node, b->depth - 1));
    return DECISION_STEP;
}

/* Lines 4-9. */
enum decision backtracking_choose(strategy *s, step *next) {
    backtracking *b = (backtracking *)s;
    exploration *x = s->exploration;
    uint32_t length = execution_length(&x->execution);
    if (b->depth == length) {
        enum decision decision = open_node(b);
        if (decision != DECISION_STEP) {
            return decision;
        }
    }
    CHECK(b->depth == length + 1);
    DEBUG_INVARIANT(check(b));
    const backtrack_node *node = &vector_at(&b->nodes, length);
    *next = (step){vector_at(&node->threads, node->current),
                   vector_at(&node->choices, node->current_choice)};
    if (b->on_race) {
        find_races(b, next->thread, x->target->class->pending(x->target, next->thread));
    }
    return DECISION_STEP;
}

/* Line 10. */
void backtracking_stepped(strategy *s) {
    backtracking *b = (backtracking *)s;
    const execution *e = &s->exploration->execution;
    sleep_descend(&b->sleep, execution_event(e, execution_length(e) - 1));
}

/* Not in the papers: the events that a step depends on may differ when it is reversed (an atomic
 * section may take another branch there). If such an event comes later than the step, notdep(e,E)
 * contains it only now, at the end. */
void backtracking_ended(strategy *s, enum decision decision) {
    backtracking *b = (backtracking *)s;
    const execution *e = &s->exploration->execution;
    (void)decision;
    for (uint32_t position = 0; b->on_race && position < execution_length(e); position++) {
        if (execution_event(e, position)->flags & OPERATION_VARIES) {
            operation op = execution_operation(e, position);
            find_races_at(b, position, execution_event(e, position)->thread, &op);
        }
    }
}

/* Line 12, and line 4 again, for every level that has nothing left. */
bool backtracking_backtrack(strategy *s) {
    backtracking *b = (backtracking *)s;
    execution *e = &s->exploration->execution;
    while (b->depth > 0) {
        uint32_t length = b->depth - 1;
        CHECK(length < execution_length(e));
        backtrack_node *node = &vector_at(&b->nodes, length);
        const event *done = execution_event(e, length);
        sleep_ascend(&b->sleep, length);
        if (b->sleeps) {
            sleep_add(&b->sleep, (sleeper){done->thread, done->choice, done->footprint});
        }
        execution_truncate(e, length);
        node->current_choice++;
        if (find_awake(b, node, length)) {
            return true;
        }
        b->depth--;
    }
    return false;
}
