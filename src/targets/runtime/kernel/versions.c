#include "targets/runtime/kernel/versions.h"

#include <stddef.h>
#include <string.h>

#include "base/hash_index.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/undo.h"
#include "targets/runtime/kernel/wide_values.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/sync.h"

enum { WIDE_GENERATIONS = 1 << 30 };

typedef struct version {
    uint64_t value; /* of a wide object: a number */
    race_version race;
} version;

typedef VECTOR(version) version_list;

/* An atomic object. */
typedef struct versioned {
    uintptr_t address;
    uint32_t size;
    uint32_t next;       /* + 1: another one in the same granule */
    uint32_t generation; /* how often it was written plainly between atomic accesses */
    bool ended;          /* a local whose frame was left: what is there next is another object */
    footprint cell;      /* for the race detector */
    version_list list;   /* of this generation, the latest last */
} versioned;

/* What going back has to undo, beside what is in the log. */
enum change_kind { CHANGE_ADDED, CHANGE_INSERTED, CHANGE_REPLACED };

typedef struct version_change {
    uint32_t kind; /* enum change_kind */
    uint32_t object;
    uint32_t number; /* the place of a version; how many were replaced */
} version_change;

static VECTOR(versioned) objects; /* of all executions; those of this one have versions */
static bool spanning;             /* some of them begin in one granule and end in the next */
static hash_index granules;       /* the first object of each */
static VECTOR(uint32_t) used;     /* the objects that have versions */
static uint32_t present;          /* the one of the step under way */
static uint32_t present_index;    /* the version that it reads, or comes after */
static uint32_t shown;            /* + 1: the one whose memory does not hold its latest version */
static bool present_writes;
static uint64_t present_value;         /* what the object holds after it */
static VECTOR(version_change) changes; /* since the first unit of the log (undo.h) */
static version_list replaced;          /* the versions that CHANGE_REPLACED puts back */

static uint32_t number_of(const versioned *o) {
    return (uint32_t)(o - objects.items);
}

static void note(enum change_kind kind, uint32_t object, uint32_t number) {
    if (undo.unit) {
        vector_push(&changes, ((version_change){kind, object, number}));
    }
}

/* Another generation of the object begins, or its life ends. */
static void log_life(const versioned *o) {
    size_t first = offsetof(versioned, generation), end = offsetof(versioned, cell);
    undo_items(&objects.items, number_of(o) * sizeof *o + first, end - first);
}

void versions_reset(void) {
    while (used.count) {
        versioned *o = &vector_at(&objects, vector_pop(&used));
        vector_clear(&o->list);
        o->generation = 0;
        o->ended = false;
    }
    lock_versions_reset();
}

void versions_close(void) {
    for (uint32_t i = 0; i < objects.count; i++) {
        vector_free(&vector_at(&objects, i).list);
    }
    vector_free(&objects);
    hash_index_free(&granules);
    wide_close();
    vector_free(&changes);
    vector_free(&replaced);
    vector_free(&used);
    lock_versions_close();
}

void versions_keep(target *t, bool keep) {
    versions_reset();
    runtime.versions = t->versions = keep;
    undo_forget();
}

enum access_order versions_order(int order) {
    switch (order) {
        case __ATOMIC_RELAXED: return ORDER_RELAXED;
        case __ATOMIC_CONSUME:
        case __ATOMIC_ACQUIRE: return ORDER_ACQUIRE;
        case __ATOMIC_RELEASE: return ORDER_RELEASE;
        case __ATOMIC_ACQ_REL: return ORDER_ACQ_REL;
        default: return ORDER_SEQ_CST;
    }
}

void versions_note(runtime_thread *t, uintptr_t address, size_t size,
                   enum version_function function, version_value operand, int order, int failure) {
    t->versioned = size <= 8 || (size == WIDE_SIZE && address % WIDE_SIZE == 0);
    t->tail_used = true;
    t->version_address = address;
    t->version_size = (uint32_t)size;
    t->version_function = (uint8_t)function;
    t->version_operand = operand;
    t->pending.order = (uint8_t)versions_order(order);
    t->pending.failure = (uint8_t)versions_order(failure);
}

static uint64_t memory_number(const versioned *o) {
    return o->size == WIDE_SIZE ? wide_number((const void *)o->address)
                                : access_value(o->address, o->size);
}

/* ---- objects ---- */

static uint64_t value_bits(uint32_t size) {
    return size < 8 ? ((uint64_t)1 << size * 8) - 1 : UINT64_MAX;
}

/* Numbers as `expected` has them: where their bytes are in the granule. */
static uint64_t in_place(const runtime_thread *t, uint64_t value) {
    if (t->version_size == WIDE_SIZE) {
        return value;
    }
    return (value & value_bits(t->version_size)) << (t->version_address & 7) * 8;
}

static uint64_t from_place(const runtime_thread *t, uint64_t value) {
    if (t->version_size == WIDE_SIZE) {
        return value;
    }
    return value >> (t->version_address & 7) * 8 & value_bits(t->version_size);
}

static void add_initial(versioned *o) {
    version initial = {.value = memory_number(o)};
    CHECK(!o->list.count);
    if (!o->cell) {
        o->cell = space_footprint(o->address, o->size, ACCESS_READ);
    }
    vector_push(&o->list, initial);
    vector_push(&used, number_of(o));
    note(CHANGE_ADDED, number_of(o), 0);
}

/* Somebody has written plainly to what was accessed atomically, or another local has its place. If
 * that is no race, all accesses so far come before it, and those that follow come after it: they
 * begin another generation, which has nothing to do with the versions that there were. Where the
 * write has changed nothing, the latest of them is what everybody sees. */
static bool is_overwritten(const versioned *o) {
    bool latest = shown != number_of(o) + 1;
    return o->ended || (o->list.count && latest && memory_number(o) != vector_last(&o->list).value);
}

static void begin_generation(versioned *o) {
    log_life(o);
    note(CHANGE_REPLACED, number_of(o), o->list.count);
    for (uint32_t i = 0; undo.unit && i < o->list.count; i++) {
        vector_push(&replaced, vector_at(&o->list, i));
    }
    o->generation++;
    o->ended = false;
    vector_clear(&o->list);
    vector_push(&o->list, ((version){.value = memory_number(o)}));
}

/* An object that is accessed in two sizes is not supported. */
static bool overlaps(const versioned *o, const runtime_thread *t) {
    return o->list.count && o->address < t->version_address + t->version_size &&
           t->version_address < o->address + o->size && !is_overwritten(o);
}

static uint32_t hash_of(uintptr_t granule) {
    return hash_index_fold(hash_index_mix(HASH_INDEX_SEED, granule));
}

static bool is_in_granule(const void *granule, uint32_t number) {
    return vector_at(&objects, number).address / 8 == *(const uintptr_t *)granule;
}

/* Object number i + 1 is the first in the granule; 0: there is none. */
static uint32_t first_in(uintptr_t granule) {
    return hash_index_find(&granules, hash_of(granule), is_in_granule, &granule) + 1;
}

static versioned *add_object(const runtime_thread *t) {
    uintptr_t granule = t->version_address / 8;
    uint32_t first = first_in(granule), added = objects.count;
    spanning |= (t->version_address + t->version_size - 1) / 8 != granule;
    vector_push(&objects, (versioned){.address = t->version_address, .size = t->version_size});
    if (first) {
        vector_at(&objects, added).next = vector_at(&objects, first - 1).next;
        vector_at(&objects, first - 1).next = added + 1;
    } else {
        hash_index_add(&granules, hash_of(granule), added);
    }
    return &vector_last(&objects);
}

/* The object of the pending operation; NULL: another one overlaps it. */
static versioned *find(const runtime_thread *t) {
    versioned *found = NULL;
    uintptr_t granule = t->version_address / 8;
    uintptr_t last = (t->version_address + t->version_size - 1) / 8;
    for (uintptr_t at = granule - (spanning && granule); at <= last; at++) {
        for (uint32_t i = first_in(at); i; i = vector_at(&objects, i - 1).next) {
            versioned *o = &vector_at(&objects, i - 1);
            if (o->address == t->version_address && o->size == t->version_size) {
                found = o;
            } else if (overlaps(o, t)) {
                return NULL;
            }
        }
    }
    found = found ? found : add_object(t);
    bool readable = space_readable(found->address, found->size) || hidden_counts(found->address);
    if (!found->list.count && readable) {
        add_initial(found);
    }
    return found->list.count ? found : NULL;
}

void versions_end(uintptr_t granule) {
    for (uint32_t i = first_in(granule / 8); i; i = vector_at(&objects, i - 1).next) {
        versioned *o = &vector_at(&objects, i - 1);
        log_life(o);
        o->ended = o->list.count != 0;
    }
}

static void set_memory(const versioned *o, uint64_t number) {
    version_value value = wide_value(number, o->size);
    memcpy((void *)o->address, &value, o->size);
}

/* ---- the pending operation ---- */

/* By a compare-and-swap. */
static uint64_t expected_by(const runtime_thread *t) {
    bool wide = t->version_size == WIDE_SIZE && space_readable(t->compare_expected, WIDE_SIZE);
    return wide ? wide_number((const void *)t->compare_expected) : t->pending.expected;
}

void versions_offer(runtime_thread *t) {
    const versioned *o = t->versioned ? find(t) : NULL;
    if (o && t->version_function == VERSION_compare) {
        t->pending.expected = expected_by(t);
    }
    uint32_t count = !o ? 0 : is_overwritten(o) ? 1 : o->list.count;
    t->pending.choice_count = t->versioned ? count : t->pending.choice_count;
    if (t->pending.kind == OPERATION_TRYLOCK) {
        lock_versions_offer(t);
    }
    if (likely(!runtime.spinning) || !spin_may_wait(t)) {
        return;
    }
    bool waits = spin_waits(t, CHOICE_NONE); /* what is pending may have been announced again */
    if (t->pending.kind == OPERATION_TRYLOCK) {
        lock_versions_offer(t);
        count = t->pending.choice_count;
    }
    if (count || lock_versions_try_other(t->pending.kind)) {
        t->pending.choice_count = count;
        t->pending.flags |= OPERATION_SPINS;
        runtime_set_enabled(t, !waits);
    } else if (waits && spin_is_lock(t->pending.kind)) {
        lock_versions_poll(t);
    }
}

void versions_show(const runtime_thread *t, uint32_t choice) {
    if (lock_versions_may_ask(t->pending.kind)) {
        lock_versions_show(t, choice);
        return;
    }
    const versioned *o = runtime.versions && t->versioned ? find(t) : NULL;
    if (o && !is_overwritten(o)) {
        uint32_t newer = choice == CHOICE_NONE ? 0 : choice;
        CHECK(newer < o->list.count);
        set_memory(o, vector_at(&o->list, o->list.count - 1 - newer).value);
        shown = newer ? number_of(o) + 1 : 0;
    }
}

void versions_hide(const runtime_thread *t) {
    lock_versions_hide();
    versions_show(t, CHOICE_NONE);
}

/* ---- steps ---- */

static bool writes(const runtime_thread *t, uint64_t old) {
    return t->version_function == VERSION_compare ? in_place(t, old) == expected_by(t)
                                                  : t->version_function != VERSION_read;
}

static version_value apply(enum version_function function, version_value old,
                           version_value operand) {
    switch (function) {
        case VERSION_fetch_add: return old + operand;
        case VERSION_fetch_sub: return old - operand;
        case VERSION_fetch_and: return old & operand;
        case VERSION_fetch_or: return old | operand;
        case VERSION_fetch_xor: return old ^ operand;
        case VERSION_fetch_nand: return ~(old & operand);
        default: return operand;
    }
}

/* What the pending operation writes, as a number of its size. */
static uint64_t made_of(const runtime_thread *t, uint64_t old) {
    version_value made =
        apply(t->version_function, wide_value(old, t->version_size), t->version_operand);
    return t->version_size == WIDE_SIZE ? wide_number(&made)
                                        : (uint64_t)made & value_bits(t->version_size);
}

void versions_before(runtime_thread *t, uint32_t choice) {
    versioned *o = find(t);
    if (o && is_overwritten(o)) {
        begin_generation(o);
    }
    CHECK(o && (choice == CHOICE_NONE || choice < o->list.count));
    present = number_of(o);
    present_index = o->list.count - 1 - (choice == CHOICE_NONE ? 0 : choice);
    const version *v = &vector_at(&o->list, present_index);
    present_writes = writes(t, v->value);
    present_value = present_writes ? made_of(t, v->value) : v->value;
    if (present_value != v->value) { /* also where memory, which holds the latest, stays the same */
        spin_effect();
    }
    undo_write(o->address, o->size);
    set_memory(o, v->value);
    race_put_version(o->cell, &v->race, present_writes);
}

/* After the step. What the thread has written plainly since its access stays. */
void versions_finish(void) {
    versioned *o = &vector_at(&objects, present);
    bool plain = memory_number(o) != present_value;
    if (present_writes) {
        version made = {.value = present_value};
        uint32_t at = present_index + 1;
        race_take_version(o->cell, &made.race);
        vector_insert(&o->list, at, made);
        note(CHANGE_INSERTED, present, at);
    }
    const version *latest = &vector_last(&o->list);
    if (!plain) {
        set_memory(o, latest->value);
    }
    race_put_version(o->cell, &latest->race, false);
}

/* ---- going back ---- */

uint32_t versions_mark(void) {
    return changes.count;
}

void versions_forget(void) {
    vector_clear(&changes);
    vector_clear(&replaced);
}

static void remove_object(versioned *o) {
    uint32_t at = used.count - 1;
    while (vector_at(&used, at) != number_of(o)) {
        at--;
    }
    CHECK(o->list.count == 1);
    vector_remove(&used, at, 1);
    vector_clear(&o->list);
}

static void put_versions_back(versioned *o, uint32_t count) {
    CHECK(o->list.count == 1 && count <= replaced.count);
    replaced.count -= count;
    vector_assign(&o->list, replaced.items + replaced.count, count);
}

void versions_go_back(uint32_t mark) {
    CHECK(mark <= changes.count);
    while (changes.count > mark) {
        version_change c = vector_pop(&changes);
        versioned *o = &vector_at(&objects, c.object);
        switch ((enum change_kind)c.kind) {
            case CHANGE_ADDED: remove_object(o); break;
            case CHANGE_INSERTED: vector_remove(&o->list, c.number, 1); break;
            case CHANGE_REPLACED: put_versions_back(o, c.number); break;
        }
    }
}

void versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < objects.count; i++) {
        const versioned *o = &vector_at(&objects, i);
        if (o->list.count) {
            visit("versions", i, o->list.items, o->list.count * sizeof *o->list.items);
            visit("generation of versions", i, &o->generation, sizeof o->generation);
            visit("end of versions", i, &o->ended, sizeof o->ended);
        }
    }
    lock_versions_visit(visit);
}

/* ---- for the target ---- */

bool versions_written(target *target, uint32_t thread, uint64_t old, uint64_t *value) {
    (void)target;
    const runtime_thread *t = &runtime.threads[thread];
    if (t->versioned) {
        *value = in_place(t, made_of(t, from_place(t, old)));
    } else if (t->pending.kind == OPERATION_TIMEOUT) { /* it leaves the waiters, if it is one */
        operation_makes(t->waits_in ? OPERATION_GIVE_UP : OPERATION_SEMAPHORE_LOOK, thread, old,
                        value);
    } else if (!operation_makes(t->pending.kind, t->number, old, value)) {
        *value = 1; /* nobody looks at it: initialising, destroying */
    }
    return true;
}

uint64_t versions_initial(target *target, uint32_t thread) {
    (void)target;
    const runtime_thread *t = &runtime.threads[thread];
    const versioned *o = t->versioned ? find(t) : NULL;
    const sync_object *s = t->versioned ? NULL : sync_by_object(t->pending.object);
    bool begins = o && is_overwritten(o);
    return begins     ? in_place(t, memory_number(o))
           : o        ? in_place(t, vector_at(&o->list, 0).value)
           : !s       ? 0
           : s->owner ? UINT64_MAX
                      : s->count;
}

uint32_t versions_generation(target *target, uint32_t thread) {
    (void)target;
    const runtime_thread *t = &runtime.threads[thread];
    const versioned *o = t->versioned ? find(t) : NULL;
    const sync_object *s = t->versioned ? NULL : sync_by_object(t->pending.object);
    uint32_t sized = t->version_size == WIDE_SIZE ? WIDE_GENERATIONS : 0; /* as if others */
    return o   ? o->generation + is_overwritten(o) + sized
           : s ? lock_versions_generation((uint32_t)(s - syncs.objects))
               : 0;
}

bool versions_wait(target *target, uint32_t thread, uint64_t old) {
    (void)target;
    runtime_thread *t = &runtime.threads[thread];
    const versioned *o = t->versioned && spin_may_wait(t) ? find(t) : NULL;
    uint32_t index = o ? o->list.count : 0;
    CHECK(thread < runtime.thread_count && t->status == THREAD_LIVE);
    if (lock_versions_may_ask(t->pending.kind) || spin_is_lock(t->pending.kind)) {
        return lock_versions_wait(t, old);
    }
    if (o && is_overwritten(o)) {
        return spin_waits(t, CHOICE_NONE);
    }
    while (index > 0 && in_place(t, vector_at(&o->list, index - 1).value) != old) {
        index--;
    }
    return index > 0 && spin_waits(t, o->list.count - index);
}
