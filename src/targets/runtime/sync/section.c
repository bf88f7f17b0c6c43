#include "targets/runtime/sync/section.h"

#include <stdlib.h>
#include <string.h>

#include "base/choice_path.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/section_writes.h"
#include "targets/runtime/sync/sync.h"

typedef struct undo_entry {
    uintptr_t address;
    size_t size;
    uint32_t start; /* in old_bytes */
} undo_entry;

typedef struct sync_undo {
    uint32_t index;
    sync_object old;
} sync_undo;

typedef VECTOR(uint32_t) section_choices;

/* A choice whose outcome makes the section wait is an alternative too: the thread is then bound to
 * its outcomes so far, and perhaps waits forever. The number of such a step has this flag, how many
 * choices are decided, and the number of the alternative. */
#define WAITS ((uint32_t)1 << 31)
enum { DECIDED_SHIFT = 24, DECIDED_LIMIT = 127 };
_Static_assert((uint32_t)DECIDED_LIMIT < WAITS >> DECIDED_SHIFT, "the three parts do not overlap");
_Static_assert(CHOICE_PATH_ALTERNATIVES < 1 << DECIDED_SHIFT,
               "the list ends before the numbers do");

static struct {
    bool tried;
    VECTOR(undo_entry) undo;
    VECTOR(uint8_t) old_bytes;
    VECTOR(memory_access) accesses;     /* of all alternatives */
    uint32_t merges_at, undo_merges_at; /* this many accesses, and entries */
    bool merged;                        /* accesses are not in the order of the program */
    VECTOR(uint8_t) stack;
    VECTOR(sync_undo) syncs;
    choice_path path; /* the choices of the section that is being run, or tried */
    bool blocked;     /* the alternative that is being tried */
    bool chooses;     /* some alternative makes a choice */
    bool locks;       /* or looks at a synchronisation object */
} section;

/* By thread: the alternatives of its pending section. */
static section_choices alternatives[RUNTIME_MAX_THREADS];

bool section_tried(void) {
    return section.tried;
}

void section_close(void) {
    vector_free(&section.undo);
    vector_free(&section.old_bytes);
    vector_free(&section.accesses);
    vector_free(&section.stack);
    vector_free(&section.syncs);
    choice_path_free(&section.path);
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        vector_free(&alternatives[i]);
    }
}

/* ---- what the section that is tried accesses ---- */

/* A section may be a loop, perhaps without end, that accesses the same memory again and again. */
enum { MERGES_FIRST = 1 << 14 };

static void forget_accesses(void) {
    vector_clear(&section.accesses);
    section.merges_at = MERGES_FIRST;
    section.merged = false;
}

static __attribute__((noinline)) void merge_accesses(void) {
    footprint all = footprint_of(section.accesses.items, section.accesses.count);
    uint32_t count = footprint_count(all);
    CHECK(count <= section.accesses.count);
    for (uint32_t i = 0; i < count; i++) {
        vector_at(&section.accesses, i) = footprint_access(all, i);
    }
    vector_resize(&section.accesses, count);
    section.merged = true;
    section.merges_at = count < MERGES_FIRST / 2 ? MERGES_FIRST : 2 * count;
}

static void add_accesses(footprint f) {
    if (unlikely(section.accesses.count >= section.merges_at)) {
        merge_accesses();
    }
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        vector_push(&section.accesses, footprint_access(f, i));
    }
}

static int by_range(const void *a, const void *b) {
    const undo_entry *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
           : x->size != y->size     ? (x->size > y->size) - (x->size < y->size)
                                    : (x->start > y->start) - (x->start < y->start);
}

static int by_start(const void *a, const void *b) {
    const undo_entry *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Of the same range only the first entry is needed: it is undone last. */
static __attribute__((noinline)) void merge_undo(void) {
    undo_entry *items = section.undo.items;
    uint32_t count = section.undo.count, kept = 0, bytes = 0;
    qsort(items, count, sizeof *items, by_range);
    for (uint32_t i = 0; i < count; i++) {
        const undo_entry *last = &items[kept - (kept > 0)];
        if (!kept || last->address != items[i].address || last->size != items[i].size) {
            items[kept++] = items[i];
        }
    }
    qsort(items, kept, sizeof *items, by_start);
    for (uint32_t i = 0; i < kept; i++) {
        CHECK(bytes <= items[i].start);
        memmove(section.old_bytes.items + bytes, section.old_bytes.items + items[i].start,
                items[i].size);
        items[i].start = bytes;
        bytes += (uint32_t)items[i].size;
    }
    vector_resize(&section.undo, kept);
    vector_resize(&section.old_bytes, bytes);
    section.undo_merges_at = kept < MERGES_FIRST / 2 ? MERGES_FIRST : 2 * kept;
}

void section_log(uintptr_t address, size_t size) {
    if (!section.tried || !size) {
        return;
    }
    if (unlikely(section.undo.count >= section.undo_merges_at)) {
        merge_undo();
    }
    uint32_t start = section.old_bytes.count;
    vector_resize(&section.old_bytes, start + (uint32_t)size);
    memcpy(section.old_bytes.items + start, (const void *)address, size);
    vector_push(&section.undo, (undo_entry){address, size, start});
}

void section_access(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode, footprint f,
                    uint32_t location) {
    if (!section.tried) {
        if (mode & ACCESS_WRITE) {
            undo_write(address, size);
            section_writes_note(address, size);
        }
        if (unlikely(runtime.spinning)) {
            spin_note_footprint(t, f);
        }
        race_section(t, f, location);
        return;
    }
    if (mode & ACCESS_WRITE) {
        section_log(address, size);
    }
    sync_cursor c = {0};
    for (uint32_t index;
         mode & ACCESS_WRITE && sync_may_lie_in(size) && (index = sync_next(address, size, &c));) {
        section_sync(t, index, "overwriting a mutex", location);
    }
    add_accesses(f);
}

static bool in_predicate(const runtime_thread *t) {
    return t->pending.kind == OPERATION_RECEIVE;
}

void section_forbid(runtime_thread *t, const char *what, uint32_t location) {
    if (!t->section_depth) {
        return;
    }
    if (in_predicate(t)) {
        runtime_fail(t, ERROR_MISUSE, location, "%s inside an atomic section", what);
    }
    runtime_fail(t, ERROR_UNSUPPORTED, location, "unsupported: %s inside an atomic section", what);
}

/* ---- what a section may do besides accessing memory ---- */

unsigned section_choose(runtime_thread *t, unsigned count, uint32_t location) {
    if (in_predicate(t)) {
        section_forbid(t, "a choice", location);
    }
    CHECK(count && t->section_depth);
    return choice_path_choose(&section.path, count);
}

void section_sync(runtime_thread *t, uint32_t index, const char *what, uint32_t location) {
    if (in_predicate(t)) {
        section_forbid(t, what, location);
    }
    if (!section.tried) {
        return;
    }
    vector_push(&section.accesses, footprint_access(sync_footprint(index), 0));
    vector_push(&section.syncs, (sync_undo){index, *sync_object_at(index)});
    section.locks = true;
    if (!space.target->needs_all) {
        space.target->needs_all = true;
        target_make_stale(space.target);
    }
}

void section_block(runtime_thread *t) {
    CHECK(section.tried);
    section.blocked = true;
    runtime_park(t); /* never comes back: the trial is taken back */
}

/* ---- sections in loops ---- */

/* The accesses of the section that was tried are more than are looked at here. */
enum { MOST_ORDERED = 64 };

/* What it writes without having read it: a store. */
static bool stores(void) {
    uint32_t count = section.accesses.count;
    bool is_ordered = count <= MOST_ORDERED && !section.merged;
    for (uint32_t i = 0; i < count; i++) {
        memory_access a = vector_at(&section.accesses, i);
        uint8_t left = a.mode & ACCESS_READ ? 0 : a.bytes;
        for (uint32_t k = 0; left && k < i && is_ordered; k++) {
            memory_access earlier = vector_at(&section.accesses, k);
            left &= earlier.object == a.object ? (uint8_t)~earlier.bytes : UINT8_MAX;
        }
        if (left) {
            return true;
        }
    }
    return false;
}

bool section_is_revocable(const runtime_thread *t) {
    return t->pending.kind == OPERATION_ATOMIC && t->section_revocable;
}

static void undo_writes(void) {
    while (section.undo.count) {
        undo_entry u = vector_pop(&section.undo);
        memcpy((void *)u.address, section.old_bytes.items + u.start, u.size);
    }
    vector_clear(&section.old_bytes);
    while (section.syncs.count) {
        sync_undo u = vector_pop(&section.syncs);
        *sync_object_at(u.index) = u.old;
    }
}

/* Runs the section and undoes everything: stack, thread-local block and control block of t are as
 * if nothing had run. */
static void try_once(runtime_thread *t) {
    CHECK(!section.tried && !section.undo.count && !section.syncs.count);
    if (t->unit != undo.unit) {
        undo_log_thread(t); /* for what the trial leaves below the stack pointer */
    }
    runtime_thread thread_before = *t;
    runtime_state runtime_before = runtime;
    uintptr_t low = t->context.stack_pointer;
    uint32_t size = (uint32_t)(t->own_low + t->own_size - low);
    vector_resize(&section.stack, size);
    memcpy(section.stack.items, (const void *)low, size);
    section.tried = true;
    section.undo_merges_at = MERGES_FIRST;
    section.blocked = false;
    section.path.used = 0;
    runtime.settings.echo = false;
    runtime_resume(t);
    CHECK(section.tried && section.path.used <= section.path.choices.count);
    section.tried = false;
    undo_writes();
    memcpy((void *)low, section.stack.items, size);
    *t = thread_before;
    runtime = runtime_before;
}

footprint section_footprint(runtime_thread *t) {
    forget_accesses();
    choice_path_start(&section.path, 0);
    try_once(t);
    return footprint_of(section.accesses.items, section.accesses.count);
}

/* ---- alternatives ---- */

/* The step by which the thread is bound to the choices of the path, which ended at a lock that is
 * taken. False if they are too many. */
static bool number_wait(uint32_t number, uint32_t *step) {
    uint32_t decided = section.path.choices.count;
    *step = WAITS | decided << DECIDED_SHIFT | number;
    return decided < DECIDED_LIMIT && number < (uint32_t)1 << DECIDED_SHIFT;
}

/* All alternatives of the pending section that agree with what is decided: those that can run
 * through, and those that decide more and wait; and what any of them accesses. */
static bool try_all(runtime_thread *t, section_choices *found) {
    vector_clear(found);
    forget_accesses();
    choice_path_start(&section.path, t->section_decision);
    section.chooses = section.locks = false;
    do {
        uint32_t number;
        try_once(t);
        section.chooses |= section.path.choices.count != 0;
        if (!choice_path_number(&section.path, &number) ||
            found->count == CHOICE_PATH_ALTERNATIVES) {
            return false;
        }
        bool decides = section.path.choices.count > t->section_decided;
        if (section.blocked && decides && !number_wait(number, &number)) {
            return false;
        }
        if (!section.blocked || decides) {
            vector_push(found, number);
        }
    } while (choice_path_next(&section.path, t->section_decided));
    return true;
}

/* What the pending section of t would access now, its alternatives, and whether it is enabled. */
static void find_alternatives(runtime_thread *t) {
    section_choices *found = &alternatives[t->number];
    operation *o = &t->pending;
    t->spin_widened = false; /* by what it was */
    t->section_crowded = !try_all(t, found);
    t->section_revocable = runtime.spinning && !section.chooses && !section.blocked &&
                           !section.locks && !t->section_crowded && !stores();
    runtime_set_enabled(t, found->count || t->section_crowded);
    o->choice_count = section.chooses && !t->section_crowded ? found->count : 0;
    o->choices = found->items;
    for (uint32_t i = 0; section.chooses && i < section.accesses.count; i++) {
        /* What one alternative writes, another one may leave as it is. */
        memory_access *a = &vector_at(&section.accesses, i);
        a->mode |= a->mode & ACCESS_WRITE ? ACCESS_READ : 0;
    }
    o->footprint = footprint_of(section.accesses.items, section.accesses.count);
}

static void refresh(runtime_thread *t) {
    if (t->section_steps != runtime.steps) {
        find_alternatives(t);
        t->section_steps = runtime.steps;
    }
}

static const refresh_rule section_rule = {.update = refresh};

/* ---- begin and end ---- */

/* The step is taken: its choices are those of its alternative. False: the section still waits, for
 * what these choices need. */
static bool start(runtime_thread *t, uint32_t location) {
    section.path.used = 0;
    if (section.tried) {
        return true;
    }
    section_writes_begin();
    CHECK(t->pending.kind == OPERATION_ATOMIC && !t->section_depth);
    if (t->choice != CHOICE_NONE && (t->choice & WAITS)) {
        t->section_decided = (t->choice & ~WAITS) >> DECIDED_SHIFT;
        t->section_decision = t->choice & (((uint32_t)1 << DECIDED_SHIFT) - 1);
        return false;
    }
    choice_path_start(&section.path, t->choice == CHOICE_NONE ? 0 : t->choice);
    if (unlikely(t->section_crowded)) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported: an atomic section with more than %d alternatives",
                     CHOICE_PATH_ALTERNATIVES);
    }
    return true;
}

static void park_before(runtime_thread *t, uint32_t location) {
    runtime_prepare(t, OPERATION_ATOMIC, 0, FOOTPRINT_EMPTY, location);
    t->pending.flags |= OPERATION_VARIES;
    t->refresh = &section_rule;
    t->section_steps = 0;
    t->section_crowded = false;
    runtime_park(t);
}

void section_begin(uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    if (!t->section_depth) {
        t->section_decided = t->section_decision = 0;
        do {
            park_before(t, location);
        } while (!start(t, location));
    }
    t->section_depth++;
    runtime.stretch++;
}

void section_end(uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return;
    }
    if (!t->section_depth) {
        runtime_fail(t, ERROR_MISUSE, location, "end of an atomic section without a begin");
    }
    if (--t->section_depth) {
        return;
    }
    if (section.tried) {
        runtime_park(t); /* never comes back: the trial is taken back */
    }
    t->spin_run = section_writes_change() ? 0 : t->spin_run;
}
