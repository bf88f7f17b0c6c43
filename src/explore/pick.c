/* Picks a thread where the strategy leaves the choice open. */
#include "explore/exploration.h"

/* In executions as long as this, usually one thread repeats something until another one lets it
 * continue: then another one is asked first. */
enum { TURN_STEPS = 4096 };

/* Threads are asked in an order given by the policy; the first one that is acceptable is taken. */
static uint32_t first_thread(exploration *x, uint32_t count) {
    uint32_t length = execution_length(&x->execution);
    uint32_t turn = length >= TURN_STEPS && count ? length / TURN_STEPS % count : 0;
    switch (x->first) {
        case FIRST_USUAL:
        case FIRST_LOWEST: return turn;
        case FIRST_HIGHEST: return count - 1 - turn;
        case FIRST_ROUND_ROBIN:
            return length ? (execution_event(&x->execution, length - 1)->thread + 1) % count : 0;
        case FIRST_RANDOM: return random_below(&x->random, count);
    }
    CHECK(!"policy");
    return 0;
}

static uint32_t next_thread(const exploration *x, uint32_t thread, uint32_t count) {
    if (x->first == FIRST_HIGHEST) {
        return thread ? thread - 1 : count - 1;
    }
    return thread + 1 < count ? thread + 1 : 0;
}

/* A thread that has taken steps and has none pending will never have one again. */
static void note_end(exploration *x, uint32_t thread) {
    uint32_t events = execution_thread_events(&x->execution, thread);
    if (events) {
        vector_at(&x->alive, thread) = thread + 1;
        vector_at(&x->held, thread).events = events;
        survey_note_end(&x->survey, thread);
    }
}

bool exploration_takes_any(void *context, uint32_t thread, const operation *pending) {
    (void)context, (void)thread, (void)pending;
    return true;
}

/* What it waits for can only come with another access to its object. */
static void note_wait(exploration *x, uint32_t thread, const operation *pending) {
    const execution *e = &x->execution;
    bool stays = pending->flags & OPERATION_STAYS && !x->target->spins && !x->target->versions;
    if (stays && footprint_count(pending->footprint) == 1) {
        uint32_t object = footprint_access(pending->footprint, 0).object;
        vector_at(&x->held, thread).object = object;
        vector_at(&x->held, thread).link = execution_chain(e, execution_length(e), 0, object);
    }
}

static bool still_waits(const exploration *x, uint32_t thread) {
    const execution *e = &x->execution;
    const held_thread *held = &vector_at(&x->held, thread);
    return held->link && execution_chain(e, execution_length(e), 0, held->object) == held->link;
}

static void check_waits(const exploration *x, uint32_t thread) {
    const operation *pending = x->target->class->pending(x->target, thread);
    CHECK(!pending || !operation_enabled(pending));
}

/* A thread that has ended stays so if all its events are still there. */
void exploration_revive(exploration *x) {
    for (uint32_t t = x->alive.count; t-- > 0;) {
        held_thread *held = &vector_at(&x->held, t);
        bool ended = vector_at(&x->alive, t) != t &&
                     execution_thread_events(&x->execution, t) == held->events;
        vector_at(&x->alive, t) = ended ? vector_at(&x->alive, t + 1) : t;
        held->link = 0;
    }
    if (survey_exists(&x->survey)) {
        survey_go_back(x);
    }
}

/* The first thread from `thread` on that is not known to have ended; there may be none. */
static uint32_t alive_from(exploration *x, uint32_t thread) {
    uint32_t found = thread;
    while (vector_at(&x->alive, found) != found) {
        DEBUG_CHECK(vector_at(&x->alive, found) > found);
        found = vector_at(&x->alive, found);
    }
    return vector_at(&x->alive, thread) = found;
}

static bool pick(exploration *x, uint32_t at, const operation *pending, uint32_t *thread) {
    DEBUG_CHECK(pending && operation_enabled(pending));
    *thread = x->picked_thread = at;
    x->picked = pending;
    return true;
}

/* What the thread has pending, if it is enabled, or NULL. */
static inline __attribute__((always_inline)) const operation *ask(exploration *x, uint32_t thread) {
    if (still_waits(x, thread)) {
        DEBUG_INVARIANT(check_waits(x, thread));
        return NULL;
    }
    const operation *pending = x->target->class->pending(x->target, thread);
    if (!pending) {
        note_end(x, thread);
    } else if (!operation_enabled(pending)) {
        note_wait(x, thread, pending);
    } else {
        return pending;
    }
    return NULL;
}

/* Picks by the order that the survey has found. */
static bool pick_by_rank(exploration *x, uint32_t count, uint32_t *thread) {
    survey *s = &x->survey;
    while (s->length < execution_length(&x->execution)) {
        survey_go_on(s, execution_event(&x->execution, s->length));
    }
    for (uint32_t rank = 0; (rank = survey_next(s, rank)) != SURVEY_NONE; rank++) {
        uint32_t at = vector_at_fast(&s->steps, rank).thread;
        const operation *pending = at < count ? ask(x, at) : NULL;
        if (pending && !operation_has_role(pending->kind, ROLE_YIELDS)) {
            return pick(x, at, pending, thread);
        }
    }
    return false;
}

bool exploration_pick(exploration *x, eligible_function *eligible, void *context, uint32_t *thread,
                      bool *refused) {
    uint32_t count = x->target->class->thread_count(x->target);
    *refused = false;
    DEBUG_CHECK(x->target_length == execution_length(&x->execution));
    for (uint32_t t = x->alive.count; t <= count; t++) {
        vector_push(&x->alive, t);
        vector_resize(&x->held, t + 1);
        vector_at(&x->held, t) = (held_thread){0};
    }
    if (survey_exists(&x->survey) && pick_by_rank(x, count, thread)) {
        return true;
    }
    uint32_t at = first_thread(x, count), yields = count;
    for (uint32_t tried = 0; tried < count; tried++, at = next_thread(x, at, count)) {
        uint32_t alive = alive_from(x, at);
        if (alive != at) {
            if (x->first != FIRST_HIGHEST) { /* those between have ended, too */
                tried += alive - at - 1;
                at = alive - 1;
            }
            continue;
        }
        const operation *pending = ask(x, at);
        if (!pending) {
            continue;
        }
        if (!eligible(context, at, pending)) {
            *refused = true;
        } else if (operation_has_role(pending->kind, ROLE_YIELDS)) {
            yields = at; /* if there is no other */
        } else {
            return pick(x, at, pending, thread);
        }
    }
    return yields < count && pick(x, yields, x->target->class->pending(x->target, yields), thread);
}
