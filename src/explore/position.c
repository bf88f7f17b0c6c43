/* The state of the target: at the end of the execution, or elsewhere to try something. */
#include "explore/exploration.h"

typedef struct event_list {
    const event *at, *end;
} event_list;

static inline bool next_event(void *context, step *next) {
    event_list *list = context;
    if (list->at == list->end) {
        return false;
    }
    *next = (step){list->at->thread, list->at->choice};
    list->at++;
    return true;
}

static void take_again(exploration *x, uint32_t from, uint32_t to) {
    static const step_hooks hooks = {.next = next_event};
    const event *events = x->execution.events.items;
    event_list list = {events + from, events + to};
    if (!x->target->class->replay) {
        target_run(x->target, &hooks, &list);
        return;
    }
    vector_resize(&x->script, to - from);
    for (uint32_t i = 0; i < to - from; i++) {
        next_event(&list, &vector_at(&x->script, i));
    }
    x->target->class->replay(x->target, x->script.items, to - from);
}

/* Brings the target to the state after at most `length` of the execution's events. Returns how
 * many. */
static uint32_t go_back(exploration *x, uint32_t length) {
    const target_class *class = x->target->class;
    bool knows_it = x->target_resets && x->target_resets == x->target->resets;
    if (knows_it && class->back) {
        uint32_t shared = x->target_shared < length ? x->target_shared : length;
        uint32_t reached = class->back(x->target, shared);
        CHECK(reached <= shared);
        return reached;
    }
    uint64_t resets = x->target->resets;
    class->reset(x->target);
    CHECK(x->target->resets > resets);
    x->target_resets = x->target->resets;
    return 0;
}

void exploration_lose_position(exploration *x) {
    x->target_length = EXPLORATION_ELSEWHERE;
    x->target_resets = 0;
    x->picked = NULL;
    vector_clear(&x->alive);
}

static void replay(exploration *x, uint32_t length) {
    x->picked = NULL;
    if (x->target->stale) {
        return; /* its steps are others now */
    }
    CHECK(length <= execution_length(&x->execution));
    uint32_t from = go_back(x, length);
    take_again(x, from, length);
    x->replayed += length - from;
    x->target_shared = length;
}

void exploration_check(const exploration *x) {
    uint32_t length = execution_length(&x->execution);
    CHECK(x->target_length == EXPLORATION_ELSEWHERE || x->target_length <= length);
    CHECK(x->target_length != length || x->target->stale || x->target_shared == length);
    CHECK(x->alive.count == 0 || vector_last(&x->alive) == x->alive.count - 1);
    for (uint32_t t = 0; t < x->alive.count; t++) {
        uint32_t alive = vector_at(&x->alive, t);
        CHECK(alive >= t && alive < x->alive.count);
        CHECK(alive == t ||
              execution_thread_events(&x->execution, t) == vector_at(&x->held, t).events);
    }
    if (x->picked) {
        CHECK(x->target_length == length);
        CHECK(x->picked_thread < x->target->class->thread_count(x->target));
        CHECK(operation_enabled(x->picked));
    }
}

void exploration_return(exploration *x) {
    uint32_t length = execution_length(&x->execution);
    replay(x, length);
    x->target_length = length;
    exploration_revive(x);
}

void exploration_revisit(exploration *x, uint32_t length) {
    replay(x, length);
    x->target_length = EXPLORATION_ELSEWHERE;
}

/* Steps that are not part of the execution. */
typedef struct trial {
    step_range steps; /* first */
    exploration *exploration;
} trial;

static bool try_step(void *context, step next) {
    exploration *x = ((trial *)context)->exploration;
    const operation *pending =
        x->target->stale ? NULL : x->target->class->pending(x->target, next.thread);
    return pending && operation_enabled(pending);
}

static bool count_trial(void *context, const step_result *result) {
    (void)result;
    ((trial *)context)->exploration->replayed++;
    return true;
}

const operation *exploration_probe(exploration *x, uint32_t length, const step *steps,
                                   uint32_t step_count, uint32_t thread) {
    static const step_hooks hooks = {step_range_next, try_step, count_trial};
    exploration_revisit(x, length);
    trial t = {{steps, steps + step_count}, x};
    bool there = target_run(x->target, &hooks, &t) && !x->target->stale;
    return there ? x->target->class->pending(x->target, thread) : NULL;
}

const operation *exploration_probe_events(exploration *x, uint32_t length,
                                          const uint32_t *positions, uint32_t count,
                                          uint32_t thread) {
    vector_clear(&x->tried);
    for (uint32_t i = 0; i < count; i++) {
        const event *e = execution_event(&x->execution, positions[i]);
        vector_push(&x->tried, (step){e->thread, e->choice});
    }
    return exploration_probe(x, length, x->tried.items, count, thread);
}
