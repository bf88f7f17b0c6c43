#include "targets/runtime/kernel/spin_observers.h"

#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_rest.h"
#include "targets/runtime/kernel/spin_section.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_trial.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/rounds.h"
#include "targets/runtime/sync/semaphore.h"
#include "targets/runtime/sync/sync.h"
#include "targets/runtime/sync/timeout.h"

enum { MOST_STEPS = 64 }; /* of a round that is left out */

static spin_place spin_place_of(const runtime_thread *t) {
    return (spin_place){spin_shape(t), runtime.timed ? spin_number(t) : SPIN_NONE};
}

/* ---- what a thread holds ---- */

static bool takes(const runtime_thread *t, enum operation_kind kind) {
    bool semaphore = spin_is_semaphore((uint8_t)kind);
    if (!semaphore && !operation_has_role(kind, ROLE_TAKES)) {
        return false;
    }
    return !operation_has_role(kind, ROLE_TRIES) || t->value;
}

static void release(runtime_thread *t, uint32_t object) {
    for (uint32_t i = t->spin_taken_count; i-- > 0;) {
        if (t->spin_taken[i].object == object) {
            t->spin_taken_count--;
            for (; i < t->spin_taken_count; i++) {
                t->spin_taken[i] = t->spin_taken[i + 1];
            }
            return;
        }
    }
}

void spin_observers_begin(runtime_thread *t) {
    t->spin_location = t->pending.location;
    if (spin_is_lock(t->pending.kind) || operation_has_role(t->pending.kind, ROLE_TRIES)) {
        t->spin_from = spin_place_of(t);
    }
}

void spin_observers_note(runtime_thread *t, enum operation_kind kind, uint32_t object, bool wrote) {
    bool gives = kind == OPERATION_UNLOCK || kind == OPERATION_POST;
    bool looks = spin_looks_at_sync((uint8_t)kind) || operation_only_reads(kind);
    CHECK(t->spin_taken_count <= SPIN_TAKEN);
    t->spin_effects += wrote || !(gives || looks || kind == OPERATION_FENCE);
    t->spin_looks += operation_only_reads(kind);
    if (gives) {
        release(t, object);
    } else if (takes(t, kind) && t->spin_taken_count == SPIN_TAKEN) {
        t->spin_taken_count = 0; /* what it gives back is then unknown */
    } else if (takes(t, kind)) {
        t->spin_taken[t->spin_taken_count++] = (spin_hold){
            object, t->spin_location, t->spin_effects, t->spin_looks, t->events, t->spin_from};
    }
}

/* ---- a try that fails ---- */

/* A lock that may time out. */
static bool is_timed(const runtime_thread *t) {
    const operation *op = &t->pending;
    return t->times_out && spin_is_lock(op->kind == OPERATION_TIMEOUT ? op->instead : op->kind);
}

static bool is_try(const runtime_thread *t) {
    return operation_has_role(t->pending.kind, ROLE_TRIES) && spin_looks_at_sync(t->pending.kind);
}

bool spin_may_observe(const runtime_thread *t) {
    if (runtime.versions || (!is_try(t) && !is_timed(t))) {
        return false;
    }
    const sync_object *s = sync_by_object(t->pending.object);
    bool known = !s || s->observer == SYNC_OBSERVED_BY_ALL || s->observer == t->number + 1;
    return !known && !threads_is_alone(t);
}

/* Somebody else seems to have it. */
static void occupy(const runtime_thread *t) {
    CHECK(runtime.thread_count > 1);
    sync_object *s = sync_object_at(t->spin_sync);
    if (spin_is_semaphore(t->pending.kind)) {
        semaphore_empty(t->spin_sync);
    } else if (spin_takes_sync(t)) {
        s->owner = (t->number == RUNTIME_MAIN ? RUNTIME_MAIN + 1 : RUNTIME_MAIN) + 1;
        s->count = s->marks = 0;
    }
}

static bool is_among(const runtime_thread *t, uint32_t first, uint32_t object) {
    for (uint32_t i = first; i < t->spin_taken_count; i++) {
        if (t->spin_taken[i].object == object) {
            return true;
        }
    }
    return false;
}

/* Gives back the latest locks, as long as it does nothing else. */
static bool give_back(runtime_thread *t, spin_failure *f) {
    uint32_t given[SPIN_TAKEN];
    while (t->pending.kind == OPERATION_UNLOCK || t->pending.kind == OPERATION_POST) {
        if (f->released == t->spin_taken_count || !is_among(t, 0, t->pending.object)) {
            return false;
        }
        given[f->released++] = t->pending.object;
        if (!spin_section_step(t, CHOICE_NONE)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < f->released; i++) {
        if (!is_among(t, t->spin_taken_count - f->released, given[i])) {
            return false;
        }
    }
    return true;
}

/* Where the thread has come from, and is to come back to. */
typedef struct try_place {
    uint64_t shape;
    uint32_t location, round; /* of a wait that may time out (rounds.h); ROUNDS_KEPT: of none */
} try_place;

static try_place place_of_try(const runtime_thread *t) {
    bool waits = rounds_is_at_wait(t);
    return (try_place){spin_shape(t), t->pending.location, waits ? t->round : ROUNDS_KEPT};
}

/* The local state of the thread is the wanted one, but for errno or, where it waits, for times. */
static bool is_at(const runtime_thread *t, const try_place *wanted) {
    bool again = rounds_is_at_wait(t) && t->round_again && t->round == wanted->round &&
                 t->pending.location == wanted->location;
    return again || spin_shape(t) == wanted->shape;
}

/* Takes them again. */
static bool take_again(runtime_thread *t, const try_place *wanted) {
    for (uint32_t n = 0; n < MOST_STEPS && !is_at(t, wanted); n++) {
        bool fence = t->pending.kind == OPERATION_FENCE;
        bool sync = spin_looks_at_sync(t->pending.kind) && spin_find_sync(t) && spin_takes_sync(t);
        if (!(fence || sync) || !spin_section_step(t, CHOICE_NONE)) {
            return false;
        }
    }
    return is_at(t, wanted);
}

spin_failure spin_observers_fail(runtime_thread *t) {
    spin_failure f = {0};
    try_place wanted = place_of_try(t);
    uint32_t looks = t->spin_looks;
    CHECK(spin_is_trying() && wanted.round <= ROUNDS_KEPT);
    bool timed = is_timed(t), times = !timed && wanted.round == ROUNDS_KEPT;
    runtime_update(t);
    if (!spin_find_usual(t)) {
        return f;
    }
    occupy(t);
    spin_rest_keep(t);
    if (timed) {
        timeout_force(t);
    }
    if (wanted.round != ROUNDS_KEPT) {
        t->round_held = t->rounds[wanted.round].held; /* it comes back with the same */
    }
    if (spin_section_step(t, CHOICE_NONE) && give_back(t, &f)) {
        f.head = spin_place_of(t);
        f.returns = take_again(t, &wanted) && spin_rest_is_same(t, times);
        f.reads = t->spin_looks != looks;
    }
    return f;
}

static bool is_same_place(const spin_place *before, const spin_place *now) {
    return before->shape == now->shape ||
           (runtime.timed && rounds_same_state(before->state, now->state));
}

bool spin_observers_is_void(const runtime_thread *t, const spin_failure *f) {
    if (!f->returns || !f->released) {
        return f->returns;
    }
    CHECK(f->released <= t->spin_taken_count && t->spin_taken_count <= SPIN_TAKEN);
    const spin_hold *first = &t->spin_taken[t->spin_taken_count - f->released];
    return first->effects == t->spin_effects &&
           (is_same_place(&first->place, &f->head) || (first->looks == t->spin_looks && !f->reads));
}

bool spin_observers_merge(sync_object *s, uint32_t observer) {
    if (!observer || s->observer == observer || s->observer == SYNC_OBSERVED_BY_ALL) {
        return false;
    }
    s->observer = s->observer ? SYNC_OBSERVED_BY_ALL : observer;
    return true;
}

void spin_observers_add(uint32_t sync, uint32_t observer) {
    CHECK(observer);
    if (spin_is_trying()) {
        return; /* it is noted when it happens */
    }
    if (spin_observers_merge(sync_object_at(sync), observer) && runtime.spinning) {
        spin_forget_outcomes(); /* of rounds that hold it */
        target_make_stale(space.target);
    }
}
