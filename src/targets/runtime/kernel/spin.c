#include "targets/runtime/kernel/spin.h"

#include <string.h>

#include "base/limit.h"
#include "base/vector.h"
#include "targets/runtime/kernel/errors.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/spin_looks.h"
#include "targets/runtime/kernel/spin_observers.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/spin_reads.h"
#include "targets/runtime/kernel/spin_rest.h"
#include "targets/runtime/kernel/spin_section.h"
#include "targets/runtime/kernel/spin_stuck.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_table.h"
#include "targets/runtime/kernel/spin_trial.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/rounds.h"
#include "targets/runtime/sync/sync.h"

bool heddle_loops_are_watched;

void spin_close(void) {
    spin_places_close();
    spin_trial_close();
    spin_tried_close();
    spin_rest_close();
    spin_reads_close();
    spin_looks_close();
    spin_table_close();
    spin_stuck_close();
    heddle_loops_are_watched = false;
}

/* ---- what a step does ---- */

static const spin_outcome *try_step(runtime_thread *t, uint32_t state, uint32_t choice) {
    spin_outcome found = {.next = SPIN_NONE};
    spin_trial_begin(t, spin_takes_sync(t));
    spin_tried_operation(t);
    versions_hide(t);
    spin_rest_keep(t);
    if (spin_section_run(t, choice, &found)) {
        /* The thread's own time is part of its state. */
        found.next = spin_rest_is_same(t, false) ? spin_number(t) : SPIN_NONE;
    }
    spin_tried_keep(state, &found);
    spin_trial_end(t);
    versions_show(t, choice);
    return spin_find_outcome(state);
}

/* The pending operation is a try: whether the thread sees that others hold what it tries to take.
 * What it does if it fails is tried. */
static void observe(runtime_thread *t) {
    uint32_t state = spin_number(t);
    const spin_outcome *o = state == SPIN_NONE ? NULL : spin_find_failure(state);
    if (!o && state != SPIN_NONE && spin_has_room(state)) {
        spin_trial_begin(t, false);
        spin_outcome found = {.next = SPIN_NONE, .fails = true, .failure = spin_observers_fail(t)};
        spin_tried_keep(state, &found);
        spin_trial_end(t);
        o = spin_find_failure(state);
    }
    if (!o || !spin_observers_is_void(t, &o->failure)) {
        const sync_object *s = sync_by_object(t->pending.object);
        spin_observers_add((uint32_t)(s - syncs.objects), t->number + 1);
    }
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
    t->spin_holds = 0;
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
void spin_arrive_first(runtime_thread *t) {
    if (!t->spin_arrived) {
        t->spin_arrived = true;
        forget(t);
        spin_places_forget(t);
        arrive(t);
    }
}

/* What the pending operation does, with one of the versions if there are any; NULL: that is
 * unknown. */
static const spin_outcome *find_outcome(runtime_thread *t, uint32_t choice) {
    spin_arrive_first(t);
    if (t->spin_state == SPIN_NONE || !is_in_loop(t) || !spin_is_void_kind(t) ||
        !spin_find_sync(t)) {
        return NULL;
    }
    versions_show(t, choice);
    const spin_outcome *o = spin_find_outcome(t->spin_state);
    if (!o && !spin_is_trying() && !spin_is_returning() && spin_has_room(t->spin_state)) {
        o = try_step(t, t->spin_state, choice);
        spin_arrive_first(t);
    }
    versions_hide(t);
    return o;
}

void spin_start(void) {
    runtime.spinning |= spin_is_wanted();
    runtime.exact |= runtime.spinning;
    heddle_loops_are_watched = runtime.spinning;
    spin_trial_restart();
    if (!spin_is_returning()) {
        spin_stuck_forget();
    }
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime.threads[i].spin_arrived = false;
    }
}

/* A choice reads nothing that could change, so that nothing is tried: after it was made, it shows
 * whether it has an effect. */
static bool is_choice_void(const runtime_thread *t, const step_result *result) {
    if (t->status != THREAD_LIVE || spin_fails(result) || spin_has_effect() ||
        t->pending.flags & OPERATION_PASSING) {
        return false;
    }
    return spin_rest_is_same(t, true);
}

/* A step of a section that may be void: whether it is shows when everything is released. */
static void finish_step_of_section(runtime_thread *t, enum operation_kind kind, bool is_void) {
    bool gives = kind == OPERATION_UNLOCK || kind == OPERATION_POST;
    CHECK(t->spin_holds);
    if (spin_has_effect() || !(gives || is_void)) {
        forget(t);
        arrive(t);
        return;
    }
    t->spin_holds = (uint8_t)(t->spin_holds + t->spin_takes - gives);
    if (t->spin_holds) {
        t->spin_state = is_in_loop(t) ? spin_number(t) : SPIN_NONE;
        return;
    }
    if (!is_in_loop(t) || spin_number(t) != t->spin_expected) {
        forget(t);
    }
    arrive(t);
}

/* The step that was begun has come to its end. */
static void finish_step(runtime_thread *t, enum operation_kind kind, bool is_void) {
    if (t->spin_holds) {
        finish_step_of_section(t, kind, is_void);
        return;
    }
    if (!is_void) {
        forget(t);
    } else if (kind == OPERATION_CHOOSE) {
        /* It is where it was before: if it cannot wait there, it has nothing to wait for, and
         * continues from there by other choices in other executions. */
        t->spin_closed = is_in_loop(t) && was_in(t, spin_number(t)) && !spin_may_wait(t);
    } else if (t->spin_takes) {
        t->spin_holds = 1;
        t->spin_state = is_in_loop(t) ? spin_number(t) : SPIN_NONE;
        return;
    }
    arrive(t);
}

/* Finds out what the pending operation does. True: it locks something, and the tries that follow
 * belong to the same step. */
static bool begin_step(runtime_thread *t, uint32_t choice) {
    if (!spin_is_returning() && spin_may_observe(t)) {
        observe(t);
    }
    if (!runtime.versions) {
        runtime_update_for_step(t); /* what it reads, and whether it waits, may have changed */
    }
    const spin_outcome *found = find_outcome(t, choice);
    const spin_outcome *o = found && found->next != SPIN_NONE ? found : NULL;
    t->spin_void = o != NULL;
    t->spin_takes = o && o->mutex;
    t->spin_expected = t->spin_takes && !t->spin_holds ? o->next : t->spin_expected;
    t->spin_kind = t->pending.kind;
    return found && found->mutex && spin_mark_of(t->pending.location) & SPIN_MARK_SECTION;
}

bool spin_take(const spin_part *part, step_result *result) {
    runtime_thread *t = &runtime.threads[part->step.thread];
    bool passing = t->pending.flags & OPERATION_PASSING;
    spin_section_narrow(t);
    bool section = !passing && begin_step(t, part->step.choice);
    runtime_update_for_step(t); /* in a replay nobody has looked at it */
    enum operation_kind kind = t->pending.kind;
    uint32_t object = t->pending.object;
    bool chooses = kind == OPERATION_CHOOSE && is_in_loop(t);
    spin_trial_note_part(part);
    if (!spin_is_returning()) {
        spin_stuck_forget();
    }
    t->spin_freed.events = 0;
    spin_observers_begin(t);
    if (chooses) {
        spin_rest_keep(t);
    }
    t->events -= part->inner;
    runtime.steps -= part->inner;
    runtime_take_step(t->number, part->step.choice, result);
    t->spin_void = chooses ? is_choice_void(t, result) : t->spin_void;
    if (t->round_count || !t->spin_void) { /* others see nothing of what is void */
        rounds_note(t, kind, object, spin_has_effect());
    }
    spin_observers_note(t, kind, object, spin_has_effect());
    if (t->status == THREAD_LIVE && !(t->pending.flags & OPERATION_PASSING)) {
        finish_step(t, t->spin_kind, t->spin_void);
    }
    return section;
}

void spin_step(uint32_t thread, uint32_t choice, step_result *result) {
    runtime_thread *t = &runtime.threads[thread];
    bool section = spin_take(&(spin_part){{thread, choice}, false}, result);
    while (section && !spin_fails(result) && spin_section_tries(t)) {
        step_result inner;
        errors_hold(result->error);
        spin_take(&(spin_part){{thread, CHOICE_NONE}, true}, &inner);
        result->error = errors_release(inner.error);
    }
}

/* ---- the pending operation ---- */

/* The cause of an earlier time-out, if it has one, is the last. */
static void remove_freed(runtime_thread *t) {
    operation *op = &t->pending;
    uint32_t last = op->cause_count - 1;
    if (t->spin_freed.events && op->causes == t->causes && op->supply_count &&
        memcmp(&t->causes[last], &t->spin_freed, sizeof t->spin_freed) == 0) {
        op->cause_count--;
        op->supply_count--;
    }
}

void spin_go_round_again(const runtime_thread *after) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime_thread *t = &runtime.threads[i];
        if (t != after && is_in_loop(t)) {
            remove_freed(t); /* which comes before this time-out */
            t->spin_arrived = false;
            t->spin_freed = (cause){after->number, after->events};
        }
    }
}

/* It is a supply: where the operation reads something else, it needs no time-out. */
void spin_add_cause(runtime_thread *t) {
    operation *op = &t->pending;
    if (!t->spin_freed.events || op->causes != t->causes) {
        return;
    }
    for (uint32_t i = 0; i < op->cause_count; i++) {
        if (memcmp(&t->causes[i], &t->spin_freed, sizeof t->spin_freed) == 0) {
            return;
        }
    }
    CHECK(op->cause_count < sizeof t->causes / sizeof *t->causes);
    t->causes[op->cause_count++] = t->spin_freed;
    op->supply_count++;
}

/* It was in that state before, except for times. */
static bool was_in_before(const runtime_thread *t, uint32_t state) {
    for (uint32_t i = 0; i < t->spin_count; i++) {
        if (rounds_same_state(t->spin_past[i], state)) {
            return true;
        }
    }
    return false;
}

/* The thread would only repeat the loop, and no round of it has to be executed first. */
static bool waits_for(const runtime_thread *t, const spin_outcome *o) {
    bool repeats = was_in(t, o->next) || (o->times_out && was_in_before(t, o->next));
    bool once = spin_once == SPIN_ONCE_ALL || (spin_once && o->reads_plain);
    return repeats && !(once && !t->spin_rounds);
}

/* A fence may be part of a void round, but waits for nothing. */
bool spin_may_wait(const runtime_thread *t) {
    bool held = spin_is_lock(t->pending.kind) && !operation_enabled(&t->pending);
    return !spin_is_trying() && is_in_loop(t) && spin_is_void_kind(t) && !held &&
           t->pending.kind != OPERATION_FENCE;
}

static bool closes(const runtime_thread *t, const spin_outcome *o) {
    return o && o->next != SPIN_NONE && waits_for(t, o);
}

static const spin_outcome *find_closing(runtime_thread *t, uint32_t choice) {
    CHECK(t->spin_count <= SPIN_PAST && (runtime.versions || choice == CHOICE_NONE));
    const spin_outcome *o = find_outcome(t, choice);
    return closes(t, o) ? o : NULL;
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

/* A lock that polls waits for more than its object, even while that is held; a section may wait
 * elsewhere, although here it does not, or for locks. */
static void refresh_held(runtime_thread *t) {
    operation *op = &t->pending;
    bool section = op->kind == OPERATION_ATOMIC;
    bool waits = spin_mark_of(op->location) & SPIN_MARK_WAITS;
    bool polls = waits && spin_is_lock(op->kind);
    if (polls || (waits && section)) {
        op->flags |= OPERATION_VARIES | OPERATION_BLOCKS;
        op->flags &= (uint8_t) ~(OPERATION_ACQUIRES | (section ? OPERATION_SPINS : 0));
    }
    if (section || polls) {
        spin_section_widen(t, NULL);
    }
}

/* The thread waits there from now on, in place of the round. */
static void learn(runtime_thread *t, const spin_outcome *o) {
    const operation *op = &t->pending;
    bool tries = o->mutex && operation_has_role(op->kind, ROLE_TRIES);
    uint8_t mark = SPIN_MARK_LOOP | SPIN_MARK_WAITS | (tries ? SPIN_MARK_TRIES : 0);
    mark |= spin_section_looks(o) ? SPIN_MARK_SECTION : 0;
    if (spin_add_mark(op->location, mark)) {
        space.target->spins = true;
        space.target->spins_by_tries |= tries;
        target_make_stale(space.target);
    }
    spin_reads_learn(t, o);
}

void spin_refresh(runtime_thread *t) {
    operation *op = &t->pending;
    CHECK(!t->spin_widened);
    spin_section_loosen(t);
    if (!spin_may_wait(t)) {
        refresh_held(t);
        return;
    }
    const spin_outcome *o = find_outcome(t, CHOICE_NONE);
    bool waits = closes(t, o);
    if (waits) {
        learn(t, o);
    }
    if (spin_mark_of(op->location) & SPIN_MARK_WAITS) {
        op->flags |= OPERATION_VARIES | OPERATION_BLOCKS | OPERATION_SPINS;
        op->flags &= (uint8_t)~OPERATION_ACQUIRES;
        spin_section_widen(t, o);
    }
    runtime_set_enabled(t, !waits);
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
    CHECK(!spin_is_trying() && !spin_is_returning() && t->pending.flags & OPERATION_SPINS);
    spin_arrive_first(t);
    if (t->spin_state == SPIN_NONE || !spin_find_sync(t) ||
        (t->pending.kind == OPERATION_TRYLOCK && !value)) {
        return true;
    }
    uint32_t state = t->spin_state;
    uint64_t held = exchange_value(t, value);
    const spin_outcome *o = spin_find_outcome(state);
    if (!o && spin_has_room(state)) {
        try_step(t, state, CHOICE_NONE); /* the program starts over, and has forgotten the value */
        spin_arrive_first(t);
        exchange_value(t, value);
        o = spin_find_outcome(state);
    }
    exchange_value(t, held);
    return !(o && o->next != SPIN_NONE && waits_for(t, o));
}

void spin_check(const runtime_thread *t) {
    uint32_t kept = t->spin_since < SPIN_PAST ? t->spin_since : SPIN_PAST;
    CHECK(t->spin_count == kept && t->spin_rounds <= t->spin_since);
    CHECK(!t->spin_widened || t->spin_own != FOOTPRINT_EMPTY);
    CHECK(!runtime.spinning || runtime.exact);
}
