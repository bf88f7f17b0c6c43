#include "targets/runtime/kernel/spin_section.h"

#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_looks.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/spin_trial.h"
#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/sync.h"
#include "targets/runtime/sync/timeout.h"

enum { MOST_HELD = 16 };

typedef struct section {
    uint32_t objects[MOST_HELD]; /* what it holds, in the order in which it was taken */
    uint32_t count;
    bool looked;
    bool times_out; /* a wait for another lock */
} section;

bool spin_is_void_kind(const runtime_thread *t) {
    return operation_has_role(t->pending.kind, ROLE_REPEATS) &&
           t->pending.kind != OPERATION_UNLOCK && t->pending.kind != OPERATION_POST &&
           t->pending.kind != OPERATION_PAUSE && t->pending.kind != OPERATION_CHOOSE &&
           (t->pending.kind != OPERATION_ATOMIC || section_is_revocable(t));
}

/* A race depends on what the others have done, not on what is read: a round that is executed finds
 * it. Anything else has to be found in the step that was tried. */
bool spin_fails(const step_result *result) {
    return result->error && result->error->kind != ERROR_DATA_RACE;
}

/* What is shown as a step of its own belongs to the one before. */
bool spin_section_step(runtime_thread *t, uint32_t choice) {
    step_result result;
    do {
        runtime_take_step(t->number, choice, &result);
        choice = CHOICE_NONE;
    } while (t->status == THREAD_LIVE && !spin_fails(&result) &&
             t->pending.flags & OPERATION_PASSING && !spin_has_effect());
    return t->status == THREAD_LIVE && !spin_fails(&result) && !spin_has_effect() &&
           !(t->pending.flags & OPERATION_PASSING);
}

/* The pending operation gives one of them back. */
static bool gives(const runtime_thread *t, section *s) {
    if (t->pending.kind != OPERATION_UNLOCK && t->pending.kind != OPERATION_POST) {
        return false;
    }
    uint32_t i = 0;
    while (i < s->count && s->objects[i] != t->pending.object) {
        i++;
    }
    if (i == s->count) {
        return false;
    }
    if (i == 0) {
        spin_tried_unlocks();
    }
    for (s->count--; i < s->count; i++) {
        s->objects[i] = s->objects[i + 1];
    }
    return true;
}

/* What may be looked at while something is held: locks, semaphores, memory that is only read. */
static bool may_look(enum operation_kind kind) {
    bool reads = operation_only_reads(kind) && kind != OPERATION_LOOK;
    return spin_looks_at_sync(kind) || reads || kind == OPERATION_FENCE;
}

static bool looks_or_takes(runtime_thread *t, section *s) {
    bool sync = spin_looks_at_sync(t->pending.kind);
    if (runtime.versions || s->looked || s->count == MOST_HELD || !spin_is_void_kind(t) ||
        !may_look(t->pending.kind) || (sync && !spin_find_usual(t))) {
        return false;
    }
    CHECK(s->count && s->count < MOST_HELD); /* else the section is over */
    spin_tried_operation(t);
    if (t->times_out && spin_is_lock(t->pending.kind) && !spin_takes_sync(t)) {
        timeout_force(t);
        s->looked = s->times_out = true;
        return true;
    }
    if (!spin_find_sync(t)) {
        return false;
    }
    if (sync && spin_takes_sync(t)) {
        s->objects[s->count++] = t->pending.object;
    } else {
        s->looked = t->pending.kind != OPERATION_FENCE;
    }
    return true;
}

bool spin_section_run(runtime_thread *t, uint32_t choice, spin_outcome *o) {
    section s = {.objects = {t->pending.object}, .count = spin_takes_sync(t)};
    o->mutex = s.count ? t->spin_sync + 1 : 0;
    bool goes_on = spin_section_step(t, choice);
    while (goes_on && s.count) {
        goes_on = (gives(t, &s) || looks_or_takes(t, &s)) && spin_section_step(t, CHOICE_NONE);
    }
    o->times_out = s.times_out;
    return goes_on;
}

/* ---- footprints ---- */

void spin_section_loosen(runtime_thread *t) {
    if (t->pending.flags & OPERATION_ACQUIRES) {
        const sync_object *s = sync_by_object(t->pending.object);
        if (s && s->joint) {
            t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
            t->pending.flags &= (uint8_t)~OPERATION_ACQUIRES;
        }
    }
}

void spin_section_narrow(runtime_thread *t) {
    if (t->spin_widened) {
        CHECK(t->spin_own != FOOTPRINT_EMPTY); /* what else it was may have been set again */
        t->pending.footprint = t->spin_own;
        t->spin_widened = false;
    }
}

static memory_access access_of_read(const spin_read *r) {
    if (r->bytes) {
        return (memory_access){space_object(r->address), r->bytes, ACCESS_READ};
    }
    sync_object *s = sync_object_at((uint32_t)r->address);
    if (!s->joint) {
        s->joint = true;
        target_make_stale(space.target);
    }
    return (memory_access){s->object, ACCESS_ALL_BYTES, ACCESS_READ_WRITE};
}

/* Not by the operation that has taken the first lock. */
static bool is_inner(const spin_outcome *o, const spin_read *r) {
    return r->looked && !r->hidden && (r->bytes || r->address != o->mutex - 1);
}

bool spin_section_looks(const spin_outcome *o) {
    const spin_read *list = spin_reads_of(o);
    bool looks = false;
    for (uint32_t i = 0; o->mutex && i < o->read_count; i++) {
        looks |= is_inner(o, &list[i]);
    }
    return looks;
}

bool spin_section_tries(const runtime_thread *t) {
    return t->status == THREAD_LIVE && !(t->pending.flags & OPERATION_PASSING) &&
           !t->section_depth && operation_has_role(t->pending.kind, ROLE_TRIES) &&
           spin_looks_at_sync(t->pending.kind);
}

static bool add_looks(runtime_thread *t, const spin_outcome *o) {
    bool added = false;
    const spin_read *list = o ? spin_reads_of(o) : NULL, *known;
    for (uint32_t i = 0; o && i < o->read_count; i++) {
        if (is_inner(o, &list[i]) && o->next != SPIN_NONE) {
            spin_looks_learn(t, &list[i]);
        } else if (is_inner(o, &list[i])) {
            space_ranges_add_access(access_of_read(&list[i]));
            added = true;
        }
    }
    for (uint32_t at = 0; (known = spin_looks_next(t, &at));) {
        space_ranges_add_access(access_of_read(known));
        added = true;
    }
    return added;
}

/* Adds to what the pending operation accesses. */
static void begin_widening(runtime_thread *t) {
    space_ranges_begin();
    for (uint32_t i = 0, n = footprint_count(t->pending.footprint); i < n; i++) {
        space_ranges_add_access(footprint_access(t->pending.footprint, i));
    }
}

static void end_widening(runtime_thread *t, bool more) {
    if (more && !t->spin_widened) {
        t->spin_own = t->pending.footprint;
    }
    if (more) {
        t->pending.footprint = space_ranges_end();
        t->spin_widened = true;
    }
}

void spin_section_widen(runtime_thread *t, const spin_outcome *o) {
    const spin_outcome *section = o && (o->mutex || t->pending.kind == OPERATION_ATOMIC) ? o : NULL;
    uint32_t at = 0;
    CHECK(!t->spin_widened);
    if (section || spin_looks_next(t, &at)) { /* else it looks at what it accesses */
        begin_widening(t);
        end_widening(t, add_looks(t, section));
    }
}
