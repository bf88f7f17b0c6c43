#include "dpor/race.h"

#include <string.h>

typedef struct search {
    const execution *execution;
    uint32_t position; /* of the step, or the length of the execution */
    uint32_t thread;
    const operation *operation;
    position_list *races;
} search;

/* The re-lock of a timed waiter: without the event that woke it, the thread does something else. */
static bool may_not_be_there(const operation *op) {
    return op->flags & OPERATION_ACQUIRES && op->flags & OPERATION_VARIES;
}

/* The event comes before everything that the thread's next step can be moved before. */
static bool in_base(const search *s, uint32_t position) {
    const execution *e = s->execution;
    uint32_t previous = execution_index_at(e, s->position, s->thread);
    if (previous && execution_before(e, position, execution_position(e, s->thread, previous - 1))) {
        return true;
    }
    if (may_not_be_there(s->operation)) {
        return false;
    }
    for (uint32_t i = 0; i < operation_fixed_causes(s->operation); i++) {
        cause c = s->operation->causes[i];
        if (c.events &&
            execution_before(e, position, execution_position(e, c.thread, c.events - 1))) {
            return true;
        }
    }
    return false;
}

/* May add an event twice if the step conflicts on several objects; sort_descending removes
 * duplicates. */
static void add(const search *s, uint32_t position) {
    vector_push(s->races, position);
}

/* The race found last happens after it: no direct race. keep_direct tests all of them; this test
 * alone keeps a write from collecting a thousand reads of one thread. */
static bool is_before_last(const search *s, uint32_t position) {
    return s->races->count && execution_before(s->execution, position, vector_last(s->races));
}

static bool conflicts(const search *s, uint32_t position) {
    const event *e = execution_event(s->execution, position);
    return e->thread != s->thread && footprint_conflict(e->footprint, s->operation->footprint);
}

/* Conflicting accesses from the head of the chain back; `open` are the bytes not yet overwritten.
 * With `all`, overwritten ones count, too. */
static void walk_chain(const search *s, uint32_t i, bool all) {
    const execution *e = s->execution;
    memory_access a = footprint_access(s->operation->footprint, i);
    uint32_t at = execution_chain(e, s->position, i, a.object);
    for (uint8_t open = a.bytes; at && open; at = execution_conflicting_link(e, at, a.mode)) {
        const access_link *link = &vector_at(&e->links, at - 1);
        uint32_t position = link->position;
        if (link->bytes & open && conflicts(s, position) && !in_base(s, position) &&
            (all || !is_before_last(s, position))) {
            add(s, position);
        }
        if (link->mode & ACCESS_WRITE && !all) {
            open &= (uint8_t)~link->bytes;
        }
    }
}

static void walk_chains(const search *s, bool all) {
    uint32_t count = footprint_count(s->operation->footprint);
    for (uint32_t i = 0; i < count; i++) {
        walk_chain(s, i, all);
    }
}

static void sort_descending(position_list *races) {
    for (uint32_t i = 1; i < races->count; i++) {
        uint32_t moved = vector_at(races, i), at = i;
        for (; at > 0 && vector_at(races, at - 1) < moved; at--) {
            vector_at(races, at) = vector_at(races, at - 1);
        }
        vector_at(races, at) = moved;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < races->count; i++) {
        if (!kept || vector_at(races, kept - 1) != vector_at(races, i)) {
            vector_at(races, kept++) = vector_at(races, i);
        }
    }
    races->count = kept;
}

/* Removes events that happen before another candidate. */
static void keep_direct(const execution *e, position_list *races) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < races->count; i++) {
        bool direct = true;
        for (uint32_t j = 0; j < kept && direct; j++) {
            direct = !execution_before(e, vector_at(races, i), vector_at(races, j));
        }
        if (direct) {
            vector_at(races, kept++) = vector_at(races, i);
        }
    }
    races->count = kept;
}

static void find_acquisition(const search *s) {
    const execution *e = s->execution;
    if (s->operation->footprint == FOOTPRINT_EMPTY) {
        return;
    }
    uint32_t object = footprint_access(s->operation->footprint, 0).object;
    uint32_t at = execution_chain(e, s->position, 0, object);
    for (; at; at = vector_at(&e->links, at - 1).previous) {
        uint32_t position = vector_at(&e->links, at - 1).position;
        const event *earlier = execution_event(e, position);
        if (earlier->acquired) {
            if (earlier->thread != s->thread && !in_base(s, position)) {
                add(s, position);
            }
            return;
        }
    }
}

static void find_causes(const search *s) {
    for (uint32_t i = 0; i < s->operation->cause_count; i++) {
        cause c = s->operation->causes[i];
        uint32_t position = execution_position(s->execution, c.thread, c.events - 1);
        if (!in_base(s, position)) {
            add(s, position);
        }
    }
}

/* The latest comes first, there are no duplicates, and the step can be moved before each of
 * them. */
static void check_races(const search *s) {
    for (uint32_t i = 0; i < s->races->count; i++) {
        uint32_t position = vector_at(s->races, i);
        CHECK(position < s->position && position < execution_length(s->execution));
        CHECK(i == 0 || position < vector_at(s->races, i - 1));
        CHECK(execution_event(s->execution, position)->thread != s->thread);
        CHECK(!in_base(s, position));
    }
}

void race_find(const execution *e, uint32_t position, uint32_t thread, const operation *op,
               position_list *races) {
    search s = {e, position, thread, op, races};
    vector_clear(races);
    if (op->flags & OPERATION_ACQUIRES) {
        find_acquisition(&s);
    } else {
        bool blocks = operation_blocks(op);
        walk_chains(&s, blocks);
        sort_descending(races);
        if (!blocks) {
            keep_direct(e, races);
        }
    }
    if (may_not_be_there(op)) {
        find_causes(&s);
        sort_descending(races);
    }
    DEBUG_INVARIANT(check_races(&s));
}
