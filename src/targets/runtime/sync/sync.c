#include "targets/runtime/sync/sync.h"

#include <string.h>

#include "base/memory.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/annotation.h"
#include "targets/runtime/sync/marks.h"

enum { SYNC_FIRST_CAPACITY = 64, MISUSED_NAME_SIZE = 160 };

sync_state syncs;

void (*sync_describe)(const sync_object *, char *name, size_t size);

/* The fields of the current execution are contiguous, for the log. */
_Static_assert(offsetof(sync_object, coarse) ==
                   offsetof(sync_object, taken) + sizeof(((sync_object *)0)->taken),
               "the fields that are learnt follow those of an execution");

static void grow(uint32_t capacity) {
    syncs.objects = memory_resize(syncs.objects, syncs.capacity * sizeof *syncs.objects,
                                  capacity * sizeof *syncs.objects);
    syncs.capacity = capacity;
}

void sync_open(void) {
    grow(SYNC_FIRST_CAPACITY);
    syncs.count = 1;
    *sync_object_at(0) = (sync_object){0};
}

void sync_close(void) {
    grow(0);
    syncs.count = 0;
    syncs.on_stacks = false;
    marks_close();
    annotation_close();
}

void sync_clear(sync_object *s) {
    s->owner = s->count = s->waiters = s->clock = 0;
    s->reader_clock = s->marks = s->users = s->phase = s->posted = s->taken = 0;
}

void sync_reset(void) {
    for (uint32_t i = 1; i < syncs.count; i++) {
        sync_clear(sync_object_at(i));
    }
    marks_reset();
    annotation_reset();
}

void sync_log_first(uint32_t index) {
    size_t first = offsetof(sync_object, owner), end = offsetof(sync_object, coarse);
    undo_items(&syncs.objects, index * sizeof *syncs.objects + first, end - first);
    sync_object_at(index)->unit = undo.unit;
}

void sync_make_coarse(uint32_t index) {
    sync_object *s = sync_object_at(index);
    if (unlikely(!s->coarse)) {
        s->coarse = true;
        if (!space.target->fine || s->class->coarse_for_all) {
            target_make_stale(space.target);
        }
    }
}

static void check_object(uint32_t index) {
    const sync_object *s = sync_object_at(index);
    uint32_t waiters = 0, found = space_granule(s->address)->sync;
    CHECK(s->address && s->class && s->class->name);
    CHECK(s->next < syncs.count && s->next != index);
    CHECK(s->owner <= runtime.thread_count && s->waiters <= runtime.thread_count);
    CHECK(s->taken <= s->posted && s->unit <= undo.numbers);
    CHECK(!s->class->life.size || s->class->life.offset < s->class->life.size);
    CHECK(s->object && space_object_touched(s->object) == s->address);
    while (found && found != index) {
        found = sync_object_at(found)->next;
    }
    CHECK(found == index);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *t = &runtime.threads[i];
        waiters += t->status == THREAD_LIVE && t->waits_in == index && !t->woken;
    }
    CHECK(waiters <= s->waiters);
    marks_check(s->marks);
    marks_check(s->users);
}

void sync_check_objects(void) {
    CHECK(syncs.count && syncs.count <= syncs.capacity);
    CHECK(!sync_object_at(0)->address && !sync_object_at(0)->owner);
    for (uint32_t i = 1; i < syncs.count; i++) {
        check_object(i);
    }
}

/* ---- finding them ---- */

static uint32_t add(granule *g, uintptr_t address, const sync_class *class) {
    if (syncs.count == syncs.capacity) {
        grow(syncs.capacity * 2);
    }
    uint32_t index = syncs.count++;
    *sync_object_at(index) = (sync_object){
        .address = address, .object = space_new_number(address), .class = class, .next = g->sync};
    g->sync = index;
    if (address - space.stacks_low < space.stacks_size) {
        syncs.on_stacks = heddle_stacks_are_shared =
            true; /* so that ends of frames are announced */
    }
    if (heap_contains(address) || g->object) { /* freeing or overwriting it writes to it */
        target_make_stale(space.target);
    }
    return g->sync;
}

uint32_t sync_find(granule *g, uintptr_t address, const sync_class *class) {
    uint32_t index = g->sync;
    CHECK(index < syncs.count);
    while (index && sync_object_at(index)->address != address) {
        index = sync_object_at(index)->next;
    }
    return index ? index : add(g, address, class);
}

sync_object *sync_expect(uintptr_t address) {
    static const sync_class any = {.name = "synchronisation object", .in_use = "is in use"};
    return sync_object_at(sync_find(space_granule(address), address, &any));
}

uint32_t sync_next(uintptr_t start, size_t size, sync_cursor *c) {
    uintptr_t first = start & ~(uintptr_t)(GRANULE_SIZE - 1);
    size_t granules = size ? (start + size - first + GRANULE_SIZE - 1) / GRANULE_SIZE : 0;
    bool by_granules = granules < syncs.count;
    uint32_t count = by_granules ? (uint32_t)granules : syncs.count;
    while (c->next || c->at < count) {
        uint32_t index = c->next;
        if (!index) {
            uint32_t i = c->at++;
            index = by_granules ? space_granule(first + (uintptr_t)i * GRANULE_SIZE)->sync : i;
        }
        c->next = by_granules ? sync_object_at(index)->next : 0;
        if (index && sync_object_at(index)->address - start < size) {
            return index;
        }
    }
    return 0;
}

const sync_object *sync_by_object(uint32_t object) {
    uintptr_t address = space_object_touched(object);
    uint32_t index = address ? space_granule(address)->sync : 0;
    while (index && sync_object_at(index)->object != object) {
        index = sync_object_at(index)->next;
    }
    return index ? sync_object_at(index) : NULL;
}

/* ---- steps ---- */

static bool in_use(const sync_object *s) {
    return s->owner || s->count || s->waiters;
}

static void refresh(runtime_thread *t) {
    const sync_object *s = sync_object_at(t->sync);
    runtime_set_enabled(t, s->class->is_enabled(s, t->pending.kind));
}

const refresh_rule sync_refresh = {.update = refresh};

void sync_misuse(runtime_thread *t, uint32_t index, uint32_t location, const char *deed,
                 const char *why) {
    char name[MISUSED_NAME_SIZE] = "";
    const sync_object *s = sync_object_at(index);
    if (sync_describe) {
        sync_describe(s, name, sizeof name);
    }
    runtime_fail(t, ERROR_MISUSE, location, "%s %s%sa %s that %s", deed, name, *name ? ", " : "",
                 s->class->name, why);
}

void sync_fail_use(runtime_thread *t, uint32_t index, uint32_t location) {
    const sync_object *s = sync_object_at(index);
    uint32_t word = *(const uint32_t *)(s->address + s->class->life.offset);
    bool destroyed = word == s->class->life.destroyed;
    sync_misuse(t, index, location, "use of", destroyed ? "was destroyed" : "was not initialised");
}

void sync_fail_copy(runtime_thread *t, uint32_t index, uint32_t location) {
    sync_misuse(t, index, location, "use of", "is a copy of one that was locked");
}

void sync_show(const sync_object *s, size_t offset, uint32_t word) {
    if (unlikely(runtime.versions)) {
        return;
    }
    uintptr_t place = s->address + offset;
    DEBUG_CHECK(offset + sizeof word <= s->class->life.size);
    section_log(place, sizeof word);
    undo_write(place, sizeof word);
    *(uint32_t *)place = word;
}

/* By another thread. */
static bool is_waited_for(const runtime_thread *t, uint32_t index) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        if (other != t && other->status == THREAD_LIVE && other->refresh && other->sync == index) {
            return true;
        }
    }
    return sync_object_at(index)->waiters != 0;
}

void sync_end_frames(const runtime_thread *t, uintptr_t low, uintptr_t high) {
    sync_cursor c = {0};
    DEBUG_CHECK(low < high);
    for (uint32_t index; syncs.on_stacks && (index = sync_next(low, high - low, &c));) {
        const sync_object *s = sync_object_at(index);
        bool holds = sync_owned(t, index) || marks_find(s->marks, t->number);
        if (holds && !is_waited_for(t, index)) {
            sync_log(index);
            sync_clear(sync_object_at(index));
            if (runtime.versions) {
                lock_versions_begin(index);
            }
        }
    }
}

/* What the thread itself holds it may also save and put back. */
static bool is_used_by_others(const runtime_thread *t, uint32_t index) {
    const sync_object *s = sync_object_at(index);
    return in_use(s) && !s->class->always_free && !sync_owned(t, index) &&
           !marks_find(s->marks, t->number);
}

void sync_check_overwriting(runtime_thread *t, uintptr_t start, size_t size, uint32_t location) {
    sync_cursor c = {0};
    for (uint32_t index; (index = sync_next(start, size, &c));) {
        const sync_object *s = sync_object_at(index);
        DEBUG_CHECK(s->address >= start && s->class);
        bool whole = s->class->life.size && s->address + s->class->life.size <= start + size;
        if (whole && is_used_by_others(t, index)) {
            sync_misuse(t, index, location, "a write over", s->class->in_use);
        }
    }
}

void sync_race(runtime_thread *t, uintptr_t address, const sync_class *class, uint8_t mode,
               uint32_t location) {
    CHECK(class->life.size && mode);
    race_plain(t, address + class->life.offset, sizeof(uint32_t), mode, location);
}

static footprint change_footprint(uint32_t index, const void *address, const sync_class *class) {
    if (!class->memory) {
        return sync_footprint(index);
    }
    memory_access changed[] = {footprint_access(sync_footprint(index), 0),
                               footprint_access(class->memory(address, ACCESS_WRITE), 0)};
    return footprint_of(changed, 2);
}

static uint32_t change(runtime_thread *t, void *address, const sync_class *class,
                       enum operation_kind kind, uint32_t location) {
    uint32_t index = sync_at(address, class);
    if (!threads_is_alone(t)) {
        spin_note_seen(index); /* it is an error if somebody holds it */
    }
    if (t->section_depth) {
        section_sync(t, index, class->changed, location);
        footprint f = class->memory ? class->memory(address, ACCESS_WRITE) : FOOTPRINT_EMPTY;
        section_access(t, (uintptr_t)address, class->life.size, ACCESS_WRITE, f, location);
    } else {
        footprint f = change_footprint(index, address, class);
        runtime_prepare(t, kind, sync_object_at(index)->object, f, location);
        runtime_park(t);
    }
    const sync_object *s = sync_object_at(index);
    t->acquired = class->is_enabled && sync_is_free(s);
    if (in_use(s) && !class->always_free) {
        sync_misuse(t, index, location,
                    kind == OPERATION_INIT ? "initialisation of" : "destruction of", class->in_use);
    }
    return index;
}

static void set_life(void *address, const sync_class *class, uint32_t word) {
    DEBUG_CHECK(word == class->life.ready || word == class->life.destroyed);
    *(uint32_t *)((char *)address + class->life.offset) = word;
}

uint32_t sync_init(void *address, const sync_class *class, uint32_t location) {
    runtime_thread *t = runtime.current;
    CHECK(class->life.offset + sizeof(uint32_t) <= class->life.size);
    uint32_t index = t ? change(t, address, class, OPERATION_INIT, location) : 0;
    if (unlikely(runtime.versions) && t) {
        sync_race(t, (uintptr_t)address, class, ACCESS_WRITE, location);
        lock_versions_begin(index);
    }
    undo_write((uintptr_t)address, class->life.size);
    memset(address, 0, class->life.size);
    set_life(address, class, class->life.ready);
    return index;
}

void sync_destroy(void *address, const sync_class *class, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (t) {
        uint32_t index = change(t, address, class, OPERATION_DESTROY, location);
        sync_check_usable(t, index, class, location);
        if (unlikely(runtime.versions)) {
            sync_race(t, (uintptr_t)address, class, ACCESS_WRITE, location);
        }
        undo_write((uintptr_t)address, class->life.size);
        set_life(address, class, class->life.destroyed);
    }
}

/* ---- objects that one thread holds at a time ---- */

bool sync_is_unowned(const sync_object *s, enum operation_kind kind) {
    (void)kind;
    return !s->owner;
}

void sync_take(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    DEBUG_CHECK(index && index < syncs.count && !s->owner);
    sync_log(index);
    s->owner = t->number + 1;
    sync_show_holders(s);
    lock_versions_count(index);
    if (likely(!section_tried())) {
        race_acquire(t, s);
    }
}

void sync_give(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    DEBUG_CHECK(sync_owned(t, index));
    sync_log(index);
    if (likely(!section_tried())) {
        race_release(t, s);
    }
    s->owner = s->count = 0;
    sync_show_holders(s);
    lock_versions_count(index);
}

/* ---- states ---- */

static bool has_state(const sync_object *s) {
    return in_use(s) || s->phase;
}

/* The holder with the least number from `*thread` on, if its marks before `*mark` are left out;
 * both are moved to it. */
static void find_holder(const sync_object *s, uint32_t *thread, uint32_t *mark) {
    *mark = *mark ? marks_find(marks_at(*mark)->previous, *thread) : marks_find(s->marks, *thread);
    while (!*mark) {
        CHECK(*thread < runtime.thread_count); /* it has as many marks as its count says */
        *mark = marks_find(s->marks, ++*thread);
    }
}

/* Who holds it, by number: in which order they came makes no difference to what follows. */
static void pass_holders(state_cursor *c, const sync_object *s) {
    uint32_t count = s->class && s->class->has_holders ? s->count : 0, thread = 0, mark = 0;
    STATE_PASS(c, count);
    for (uint32_t i = 0; i < count; i++) {
        if (c->direction != CURSOR_RESTORES) {
            find_holder(s, &thread, &mark);
        }
        STATE_PASS(c, thread);
    }
}

/* Only those in use: how many are known at all may have grown since a save. A restore finds all of
 * them free. */
void sync_pass_visible(state_cursor *c) {
    uint32_t count = 0, index = 0;
    for (uint32_t i = 1; i < syncs.count; i++) {
        count += has_state(sync_object_at(i));
    }
    STATE_PASS(c, count);
    for (uint32_t i = 0; i < count; i++) {
        if (c->direction != CURSOR_RESTORES) {
            do {
                index++;
            } while (!has_state(sync_object_at(index)));
        }
        STATE_PASS(c, index);
        CHECK(index && index < syncs.count);
        STATE_PASS(c, sync_object_at(index)->owner);
        STATE_PASS(c, sync_object_at(index)->count);
        STATE_PASS(c, sync_object_at(index)->waiters);
        STATE_PASS(c, sync_object_at(index)->phase);
        pass_holders(c, sync_object_at(index));
    }
}

void sync_pass_rest(state_cursor *c) {
    uint32_t count = syncs.count;
    STATE_PASS(c, count);
    CHECK(count <= syncs.count); /* objects are never forgotten */
    for (uint32_t i = 1; i < count; i++) {
        sync_object *s = sync_object_at(i);
        STATE_PASS(c, s->clock);
        STATE_PASS(c, s->reader_clock);
        STATE_PASS(c, s->marks);
        STATE_PASS(c, s->users);
        STATE_PASS(c, s->posted);
        STATE_PASS(c, s->taken);
    }
    marks_pass(c);
    annotation_pass(c);
}
