#include "targets/runtime/kernel/spin_places.h"

#include <string.h>

#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_observers.h"
#include "targets/runtime/kernel/spin_table.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

enum {
    MOST_LOOP_PLACES = 100000,
    SEEN_STATES = 64,
    LONG_RUN = 2000, /* steps of a thread that may be void, after which it is watched in any case */
};

static VECTOR(uint8_t) marks; /* by location */
static VECTOR(uint32_t) marked;
static bool wanted;

/* The thread that is looked at, and the state in which it was at a power of two. */
static struct {
    uint32_t thread, run;
    uint64_t kept;
    uint32_t count, limit;
    VECTOR(uint32_t) places; /* since then */
    /* Of threads that take one step after the other in different executions. */
    struct seen_state {
        uint64_t hash;
        uint32_t run;
    } seen[SEEN_STATES];
    uint32_t seen_count;
} suspect;

void spin_places_close(void) {
    vector_free(&marks);
    vector_free(&marked);
    vector_free(&suspect.places);
    suspect.seen_count = 0;
    memset(suspect.seen, 0, sizeof suspect.seen);
    wanted = false;
}

bool spin_is_wanted(void) {
    return wanted;
}

/* ---- places ---- */

uint8_t spin_mark_of(uint32_t location) {
    return location < marks.count ? vector_at(&marks, location) : 0;
}

bool spin_add_mark(uint32_t location, uint8_t mark) {
    while (marks.count <= location) {
        vector_push(&marks, 0);
    }
    if (!vector_at(&marks, location)) {
        vector_push(&marked, location);
    }
    CHECK(mark && mark <= SPIN_MARK_ALL);
    bool added = (vector_at(&marks, location) & mark) != mark;
    vector_at(&marks, location) |= mark;
    return added;
}

void spin_want(void) {
    wanted = true;
    undo_disable();
}

bool spin_known(uint32_t i, uintptr_t *offset, uint32_t *mark) {
    if (i >= marked.count) {
        return false;
    }
    uint32_t location = vector_at(&marked, i);
    *offset = location_address(location) - space.text_low;
    *mark = vector_at(&marks, location);
    return true;
}

bool spin_expect(uintptr_t offset, uint32_t mark) {
    if (offset >= space.text_size || mark > SPIN_MARK_ALL) {
        return false;
    }
    spin_add_mark(location_of((const void *)(space.text_low + offset)), (uint8_t)mark);
    space.target->spins |= (mark & SPIN_MARK_WAITS) != 0;
    space.target->polls |= (mark & SPIN_MARK_POLLS) != 0;
    space.target->spins_by_tries |= (mark & SPIN_MARK_TRIES) != 0;
    spin_want();
    return true;
}

bool spin_owner(uint32_t object, uint64_t *owner) {
    const sync_object *s = sync_by_object(object);
    *owner = s ? s->owner : 0;
    return s != NULL;
}

/* Under weak models and in atomic sections. Elsewhere the try is a step, and heddle finds out what
 * the thread does if it fails (spin_observers.h). */
void spin_note_try(uint32_t sync) {
    if (runtime.versions || runtime.current->section_depth) {
        spin_observers_add(sync, runtime.current->number + 1);
    }
}

void spin_note_look(uint32_t sync) {
    spin_observers_add(sync, runtime.current->number + 1);
}

void spin_note_seen(uint32_t sync) {
    spin_observers_add(sync, SYNC_OBSERVED_BY_ALL);
}

/* ---- suspicion ---- */

static void begin_suspicion(const runtime_thread *t) {
    suspect.thread = t->number;
    suspect.kept = spin_hash(t);
    suspect.count = 0;
    suspect.limit = 1;
    vector_clear(&suspect.places);
}

static void mark_loop(const uint32_t *places, uint32_t count, bool pauses) {
    bool added = false;
    for (uint32_t i = 0; i < count; i++) {
        added |= spin_add_mark(places[i], SPIN_MARK_LOOP);
        added |= pauses && passing_promote_now(places[i]);
    }
    if (added) {
        spin_want();
        target_make_stale(space.target);
    }
}

void spin_places_forget(runtime_thread *t) {
    t->spin_latest = t->spin_left = 0;
}

/* Of a loop in a loop only the inner one is found while a thread runs alone, if the outer one
 * repeats only because of what others do: it is found when the thread comes back. */
void spin_places_pass(runtime_thread *t) {
    if (t->spin_run <= t->spin_run_before) {
        spin_places_forget(t); /* it has changed something */
    }
    t->spin_run_before = t->spin_run;
    if (t->spin_state != SPIN_NONE) {
        t->spin_latest = t->spin_state + 1;
        if (t->spin_left == t->spin_latest) {
            mark_loop(t->spin_between, t->spin_between_count, false);
            t->spin_left = 0;
        }
        return;
    }
    if (!t->spin_left) {
        t->spin_left = t->spin_latest;
        t->spin_between_count = 0;
    }
    CHECK(t->spin_between_count <= SPIN_PAST);
    if (t->spin_between_count == SPIN_PAST) {
        spin_places_forget(t);
    } else if (t->spin_left) {
        t->spin_between[t->spin_between_count++] = t->pending.location;
    }
}

/* In another execution, or long before, the thread looked the same after another number of steps:
 * it may be in a loop, which shows when all its steps are watched. */
static void look_across_executions(const runtime_thread *t) {
    uint64_t hash = spin_hash(t);
    bool found = t->spin_run >= LONG_RUN;
    for (uint32_t i = 0; i < SEEN_STATES; i++) {
        found |= suspect.seen[i].hash == hash && suspect.seen[i].run != t->spin_run;
    }
    suspect.seen[suspect.seen_count++ % SEEN_STATES] = (struct seen_state){hash, t->spin_run};
    if (found) {
        spin_want();
        target_make_stale(space.target);
    }
}

void spin_suspect(runtime_thread *t) {
    if (t->status != THREAD_LIVE || t->pending.flags & OPERATION_PASSING) {
        return;
    }
    if (!wanted) {
        look_across_executions(t);
    }
    bool goes_on = suspect.thread == t->number && suspect.run + 1 == t->spin_run;
    suspect.run = t->spin_run;
    if (!goes_on) {
        begin_suspicion(t);
        return;
    }
    vector_push(&suspect.places, t->pending.location);
    if (spin_hash(t) == suspect.kept) {
        mark_loop(suspect.places.items, suspect.places.count, t->pending.kind == OPERATION_PAUSE);
        begin_suspicion(t);
        return;
    }
    CHECK(suspect.count < suspect.limit);
    if (++suspect.count == suspect.limit) {
        suspect.limit *= suspect.limit < MOST_LOOP_PLACES ? 2 : 1;
        suspect.count = 0;
        suspect.kept = spin_hash(t);
        vector_clear(&suspect.places);
    }
}
