#include "targets/runtime/kernel/spin.h"

#include <string.h>

#include "base/limit.h"
#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/spin_reads.h"
#include "targets/runtime/kernel/spin_rest.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_table.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/rounds.h"
#include "targets/runtime/sync/sync.h"

bool heddle_loops_are_watched;

static VECTOR(step) path; /* since the program started */
static VECTOR(step) again;

static struct {
    bool trying;    /* a step */
    bool returning; /* to where the program was before */
    bool effect;    /* the current step has one */
} now;

void spin_close(void) {
    spin_places_close();
    vector_free(&path);
    vector_free(&again);
    spin_tried_close();
    spin_rest_close();
    spin_reads_close();
    spin_table_close();
    now.trying = now.returning = now.effect = false;
    heddle_loops_are_watched = false;
}

/* ---- what a step does ---- */

void spin_effect(void) {
    now.effect = true;
}

/* What a thread writes to its own stack is seen by what it leaves there (state_save_rest). */
static __attribute__((noinline)) void note(runtime_thread *t, uintptr_t address, size_t size,
                                           uint8_t mode) {
    bool writes = mode != ACCESS_READ;
    now.effect = now.effect || (writes && address - t->own_low >= t->own_size);
    if (now.trying) {
        spin_tried_read(address, size, mode == ACCESS_WRITE);
    } else if (writes) {
        spin_reads_note_write(t, address, size);
    }
}

/* What was called leaves something else on the stack of the thread while a step is tried. */
void spin_note(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    note(t, address, size, mode);
    runtime_clear_dead_stack();
}

void spin_note_write(const runtime_thread *t, uintptr_t address, size_t size) {
    if (!now.trying) {
        spin_reads_note_write(t, address, size);
    }
}

void spin_note_footprint(const runtime_thread *t, footprint f) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        if (a.mode & ACCESS_WRITE) {
            spin_note_write(t, space_object_address(a.object), GRANULE_SIZE);
        }
    }
}

/* From one operation to the next; what is shown as a step of its own belongs to the one before. */
static bool step_once(runtime_thread *t, uint32_t choice) {
    step_result result;
    do {
        runtime_take_step(t->number, choice, &result);
        choice = CHOICE_NONE;
    } while (t->status == THREAD_LIVE && !result.error && t->pending.flags & OPERATION_PASSING &&
             !now.effect);
    return t->status == THREAD_LIVE && !result.error && !now.effect &&
           !(t->pending.flags & OPERATION_PASSING);
}

/* The same; what takes the object continues to where that is given back. */
static bool step_void(runtime_thread *t, uint32_t choice) {
    bool takes = spin_takes_sync(t);
    uint8_t gives = spin_is_semaphore(t->pending.kind) ? OPERATION_POST : OPERATION_UNLOCK;
    uint32_t object = t->pending.object;
    if (!step_once(t, choice)) {
        return false;
    }
    if (!takes) {
        return true;
    }
    spin_tried_unlocks();
    return t->pending.kind == gives && t->pending.object == object && step_once(t, CHOICE_NONE);
}

/* Goes back to where the program was before something was tried. Nothing is tried on the way: if
 * heddle has left other values on a stack than before, the step counts as one with an effect. */
static void put_back(void) {
    step_result result;
    bool echo = runtime.settings.echo;
    CHECK(!now.trying && !now.returning);
    runtime.settings.echo = false; /* what was printed stays printed */
    now.returning = true;
    vector_assign(&again, path.items, path.count);
    runtime_start_over();
    for (uint32_t i = 0; i < again.count; i++) {
        step s = vector_at(&again, i);
        spin_step(s.thread, s.choice, &result);
    }
    CHECK(path.count == again.count);
    runtime.settings.echo = echo;
    now.returning = false;
}

static bool is_void_kind(const runtime_thread *t) {
    return operation_has_role(t->pending.kind, ROLE_REPEATS) &&
           t->pending.kind != OPERATION_UNLOCK && t->pending.kind != OPERATION_POST &&
           t->pending.kind != OPERATION_PAUSE && t->pending.kind != OPERATION_CHOOSE;
}

static const spin_outcome *try_step(runtime_thread *t, uint32_t state, uint32_t choice) {
    spin_outcome found = {.next = SPIN_NONE};
    CHECK(!now.trying && t->status == THREAD_LIVE);
    bool stale = space.target->stale, echo = runtime.settings.echo;
    bool takes = spin_takes_sync(t);
    spin_tried_start(takes);
    runtime.settings.echo = false;
    now.trying = true;
    now.effect = false;
    found.mutex = takes ? t->spin_sync + 1 : 0;
    spin_tried_operation(t);
    versions_hide(t);
    spin_rest_keep(t);
    if (step_void(t, choice)) {
        found.next = spin_rest_is_same(t) ? spin_number(t) : SPIN_NONE;
    }
    spin_tried_keep(state, &found);
    now.trying = false;
    space.target->stale |= stale;
    put_back();
    runtime.settings.echo = echo;
    runtime_update(t); /* the operation was announced again */
    versions_show(t, choice);
    return spin_find_outcome(state);
}

void spin_forget_outcomes(void) {
    spin_table_close();
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime.threads[i].spin_arrived = false; /* numbers of states no longer mean anything */
        rounds_forget(&runtime.threads[i]);
    }
}

/* ---- histories ---- */

static bool is_in_loop(const runtime_thread *t) {
    return t->status == THREAD_LIVE && !(t->pending.flags & OPERATION_PASSING) &&
           spin_mark_of(t->pending.location) && !t->section_depth;
}

static void forget(runtime_thread *t) {
    t->spin_count = t->spin_since = t->spin_rounds = 0;
    t->spin_holds = t->spin_chose = false;
}

static bool was_in(const runtime_thread *t, uint32_t state) {
    for (uint32_t i = 0; i < t->spin_count; i++) {
        if (t->spin_past[i] == state) {
            return true;
        }
    }
    return false;
}

/* The thread is about to take an operation. */
static void arrive(runtime_thread *t) {
    t->spin_state = is_in_loop(t) ? spin_number(t) : SPIN_NONE;
    spin_places_pass(t);
    if (t->spin_state == SPIN_NONE) {
        forget(t);
        return;
    }
    t->spin_rounds += was_in(t, t->spin_state);
    uint32_t since = t->spin_since++;
    if (since < SPIN_PAST) {
        t->spin_past[since] = t->spin_state;
        t->spin_count = since + 1;
    } else if ((since & (since - 1)) == 0) {
        t->spin_past[SPIN_PAST - 1] = t->spin_state;
    }
}

/* A thread that has not taken a step has not arrived either. */
static void arrive_first(runtime_thread *t) {
    if (!t->spin_arrived) {
        t->spin_arrived = true;
        forget(t);
        spin_places_forget(t);
        arrive(t);
    }
}

/* What the pending operation does, with one of the versions if there are any; NULL: it has an
 * effect, or that is unknown. */
static const spin_outcome *outcome_of(runtime_thread *t, uint32_t choice) {
    arrive_first(t);
    if (t->spin_state == SPIN_NONE || !is_in_loop(t) || !is_void_kind(t) || !spin_find_sync(t)) {
        return NULL;
    }
    versions_show(t, choice);
    const spin_outcome *o = spin_find_outcome(t->spin_state);
    if (!o && !now.trying && !now.returning && spin_has_room(t->spin_state)) {
        o = try_step(t, t->spin_state, choice);
        arrive_first(t);
    }
    versions_hide(t);
    return o && o->next != SPIN_NONE ? o : NULL;
}

void spin_start(void) {
    runtime.spinning |= spin_is_wanted();
    runtime.exact |= runtime.spinning;
    heddle_loops_are_watched = runtime.spinning;
    path.count = 0;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime.threads[i].spin_arrived = false;
    }
}

/* A choice reads nothing that could change, so that nothing is tried: after it was made, it shows
 * whether it has an effect. */
static bool is_choice_void(const runtime_thread *t, const step_result *result) {
    if (t->status != THREAD_LIVE || result->error || now.effect ||
        t->pending.flags & OPERATION_PASSING) {
        return false;
    }
    return spin_rest_is_same(t);
}

/* The thread is where it was before, and continues from there by other choices in other executions:
 * this one does not count. */
static void close_by_choice(runtime_thread *t) {
    CHECK(t->status == THREAD_LIVE && t->spin_kind == OPERATION_CHOOSE);
    t->spin_closed = true;
    t->status = THREAD_STOPPED;
}

/* The step that was begun has come to its end. */
static void finish_step(runtime_thread *t, enum operation_kind kind, bool is_void) {
    if (t->spin_holds) {
        t->spin_holds = false;
        if (kind == OPERATION_UNLOCK || kind == OPERATION_POST) {
            arrive(t);
            return;
        }
        is_void = false;
    }
    if (!is_void) {
        forget(t);
    } else if (kind == OPERATION_CHOOSE) {
        t->spin_chose = true;
        if (is_in_loop(t) && was_in(t, spin_number(t))) {
            close_by_choice(t);
            return;
        }
    } else if (t->spin_takes) {
        t->spin_holds = true;
        t->spin_state = SPIN_NONE;
        return;
    }
    arrive(t);
}

void spin_step(uint32_t thread, uint32_t choice, step_result *result) {
    runtime_thread *t = &runtime.threads[thread];
    bool passing = t->pending.flags & OPERATION_PASSING;
    if (!passing && !runtime.versions) {
        runtime_update(t); /* what it reads, and whether it waits, may have changed */
    }
    if (!passing) {
        const spin_outcome *o = outcome_of(t, choice);
        t->spin_void = o != NULL;
        t->spin_takes = o && o->mutex;
        t->spin_kind = t->pending.kind;
    }
    runtime_update(t); /* in a replay nobody has looked at it */
    enum operation_kind kind = t->pending.kind;
    uint32_t object = t->pending.object;
    bool chooses = kind == OPERATION_CHOOSE && is_in_loop(t);
    vector_push(&path, (step){thread, choice});
    now.effect = false;
    if (chooses) {
        spin_rest_keep(t);
    }
    runtime_take_step(thread, choice, result);
    t->spin_void = chooses ? is_choice_void(t, result) : t->spin_void;
    rounds_note(t, kind, object, now.effect);
    if (t->status == THREAD_LIVE && !(t->pending.flags & OPERATION_PASSING)) {
        finish_step(t, t->spin_kind, t->spin_void);
    }
}

/* ---- the pending operation ---- */

/* The thread would only repeat the loop, and has nothing to show before. */
static bool waits_for(const runtime_thread *t, const spin_outcome *o) {
    return was_in(t, o->next) && !(spin_once && o->reads_plain && !t->spin_rounds);
}

/* A fence may be part of a void round, but waits for nothing. */
bool spin_may_wait(const runtime_thread *t) {
    bool held = spin_is_lock(t->pending.kind) && !operation_enabled(&t->pending);
    return !now.trying && is_in_loop(t) && is_void_kind(t) && !held &&
           t->pending.kind != OPERATION_FENCE;
}

static const spin_outcome *find_closing(runtime_thread *t, uint32_t choice) {
    CHECK(t->spin_count <= SPIN_PAST && (runtime.versions || choice == CHOICE_NONE));
    const spin_outcome *o = outcome_of(t, choice);
    return o && waits_for(t, o) ? o : NULL;
}

bool spin_waits(runtime_thread *t, uint32_t choice) {
    const spin_outcome *o = spin_may_wait(t) ? find_closing(t, choice) : NULL;
    if (o && !space.target->spins) {
        space.target->spins = true;
        target_make_stale(space.target);
    }
    if (o) {
        spin_reads_learn(t, o);
    }
    return o != NULL;
}

/* A lock that polls waits for more than its object, even while that is held. */
static void refresh_held(operation *op) {
    if (spin_is_lock(op->kind) && spin_mark_of(op->location) & SPIN_MARK_WAITS) {
        op->flags |= OPERATION_VARIES | OPERATION_BLOCKS;
        op->flags &= (uint8_t)~OPERATION_ACQUIRES;
    }
}

void spin_refresh(runtime_thread *t) {
    operation *op = &t->pending;
    if (!spin_may_wait(t)) {
        refresh_held(op);
        return;
    }
    const spin_outcome *o = find_closing(t, CHOICE_NONE);
    if (o) {
        bool tries = o->mutex && operation_has_role(op->kind, ROLE_TRIES);
        uint8_t mark = SPIN_MARK_LOOP | SPIN_MARK_WAITS | (tries ? SPIN_MARK_TRIES : 0);
        if (spin_add_mark(op->location, mark)) {
            space.target->spins = true;
            space.target->spins_by_tries |= tries;
            target_make_stale(space.target);
        }
        spin_reads_learn(t, o);
    }
    if (spin_mark_of(op->location) & SPIN_MARK_WAITS) {
        op->flags |= OPERATION_VARIES | OPERATION_BLOCKS | OPERATION_SPINS;
        op->flags &= (uint8_t)~OPERATION_ACQUIRES;
    }
    runtime_set_enabled(t, !o);
}

/* Puts a value where the pending operation looks; returns what was there. */
static uint64_t exchange_value(const runtime_thread *t, uint64_t value) {
    uint64_t held = 0;
    if (t->pending.kind == OPERATION_TRYLOCK) {
        CHECK(t->spin_sync && t->spin_sync < syncs.count);
        held = sync_object_at(t->spin_sync)->owner;
        sync_object_at(t->spin_sync)->owner = (uint32_t)value;
        return held;
    }
    memory_access a = footprint_access(t->pending.footprint, 0);
    char *granule = (char *)space_object_address(a.object);
    for (uint32_t i = 0; i < sizeof value; i++) {
        if (a.bytes >> i & 1) {
            memcpy((char *)&held + i, granule + i, 1);
            memcpy(granule + i, (const char *)&value + i, 1);
        }
    }
    return held;
}

bool spin_opens(uint32_t thread, uint64_t value) {
    runtime_thread *t = &runtime.threads[thread];
    CHECK(!now.trying && !now.returning && t->pending.flags & OPERATION_SPINS);
    arrive_first(t);
    if (t->spin_state == SPIN_NONE || !spin_find_sync(t) ||
        (t->pending.kind == OPERATION_TRYLOCK && !value)) {
        return true;
    }
    uint32_t state = t->spin_state;
    uint64_t held = exchange_value(t, value);
    const spin_outcome *o = spin_find_outcome(state);
    if (!o && spin_has_room(state)) {
        try_step(t, state, CHOICE_NONE); /* the program starts over, and has forgotten the value */
        arrive_first(t);
        exchange_value(t, value);
        o = spin_find_outcome(state);
    }
    exchange_value(t, held);
    return !(o && o->next != SPIN_NONE && waits_for(t, o));
}

void spin_check(const runtime_thread *t) {
    uint32_t kept = t->spin_since < SPIN_PAST ? t->spin_since : SPIN_PAST;
    CHECK(t->spin_count == kept && t->spin_rounds <= t->spin_since);
    CHECK(!t->spin_holds || t->spin_state == SPIN_NONE);
    CHECK(!runtime.spinning || runtime.exact);
}

/* ---- stuck threads ---- */

/* Runs the thread alone. True: it repeats the loop forever. After many steps that is unknown. */
static bool goes_round(uint32_t thread) {
    runtime_thread *t = &runtime.threads[thread];
    arrive_first(t);
    uint32_t first = t->spin_state, kept = first;
    bool round = false, stale = space.target->stale;
    CHECK(!now.trying);
    now.trying = true;
    now.effect = false;
    spin_rest_keep(t);
    for (uint64_t n = 1, most = limit_most(LIMIT_ROUNDS); !round; n++) {
        if (n > most) {
            limit_reached(LIMIT_ROUNDS);
            break;
        }
        if (!is_void_kind(t) || !spin_find_sync(t) || !step_void(t, CHOICE_NONE)) {
            break;
        }
        uint32_t state = spin_number(t);
        round = state != SPIN_NONE && (state == first || state == kept);
        kept = (n & (n - 1)) == 0 ? state : kept;
    }
    round = round && spin_rest_is_same(t);
    now.trying = false;
    space.target->stale = stale;
    put_back();
    return round;
}

enum target_ending spin_judge(void) {
    bool others = false, spin = false;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        if (runtime.threads[i].spin_closed) {
            return ENDING_ARTIFACT;
        }
        const operation *op = runtime_pending(NULL, i); /* running the loop has cleared it */
        if (!op) {
            continue;
        }
        runtime_thread *t = &runtime.threads[i];
        bool waits = !operation_enabled(op);
        if (runtime.versions) {
            runtime_update(t); /* a lock that polls is blocked by nothing else */
            waits = spin_waits(t, CHOICE_NONE);
        }
        bool spins = op->flags & OPERATION_SPINS && waits && spin_find_sync(t);
        if (spins && (t->spin_chose || !goes_round(i))) {
            return ENDING_ARTIFACT;
        }
        spin |= spins;
        others |= !spins;
    }
    return spin && !others ? ENDING_LIVELOCK : ENDING_DEADLOCK;
}
