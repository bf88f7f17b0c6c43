/* Synchronisation objects: a table beside the user's memory, found through the granule table. The
 * state is not kept in the pthread_mutex_t itself, so that a stray memset cannot break it.
 *
 * A primitive is a file: a class that defines what is specific to it (mutex.c, condition.c,
 * spinlock.c, semaphore.c, rwlock.c, barrier.c, once.c), and the functions of the program that use
 * it, which are rows of the table of symbols. Numbers, footprints, steps, enabledness, saving,
 * comparing and resetting, use of memory that is dead, and use inside atomic sections are the same
 * for all of them, and here. What reports and the explorer know about its operations are their rows
 * in core/operation.h. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_SYNC_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_SYNC_H

#include <pthread.h>

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/memory/validity.h"
#include "targets/runtime/sync/section.h"

typedef struct sync_class sync_class;

#define SYNC_OBSERVED_BY_ALL UINT32_MAX

typedef struct sync_object {
    uintptr_t address;
    const sync_class *class;
    uint32_t object; /* its number in footprints */
    uint32_t next;   /* in the same granule; 0: none */
    uint32_t unit;   /* of the log (undo.h), in which it was logged */
    /* Of the current execution, up to `taken`; all 0 while it is unused. */
    uint32_t owner;   /* thread + 1; 0: free */
    uint32_t count;   /* of a recursive mutex: locks beyond the first; of others: see their files */
    uint32_t waiters; /* threads whose `waits_in` it is */
    uint32_t clock;   /* row of the race detector, or 0 */
    uint32_t reader_clock;  /* of a read-write lock: what readers have released */
    uint32_t marks;         /* the latest of its marks (marks.h), or 0 */
    uint32_t users;         /* of a barrier: marks of the threads that use it */
    uint32_t phase;         /* of a robust mutex: what its owner's end has left (mutex.c) */
    uint32_t posted, taken; /* of a semaphore: posts, and how many of them were taken */
    /* Learnt, and kept from execution to execution: strategies that are not fine, or all
       (coarse_for_all), must see more of its steps as conflicting. */
    bool coarse;
    /* The same: the thread that may have seen that others hold it (spin.h), + 1; 0: none. */
    uint32_t observer;
    /* The same: some step takes it together with others (kernel/spin_section.h). */
    bool joint;
} sync_object;

/* A word of the program's variable shows whether the object was initialised or destroyed, so that a
 * copy or a memset by the program includes it. For locks it also shows whether a thread holds them:
 * no thread can take the copy of a lock that is held. The table has the rest of the state, and
 * decides how the object itself behaves. With versions, only initialisation is shown. */
typedef struct sync_life {
    size_t size;        /* of the variable */
    size_t offset;      /* of the word */
    uint32_t destroyed; /* what it then holds */
    uint32_t ready;     /* what it must hold; 0: there are static initialisers, of many kinds */
    bool shows_holders; /* the first word of the variable is SYNC_HELD while it is held */
    uint8_t shown;      /* how many of its first bytes change with its state */
} sync_life;

#define SYNC_HELD 0x48454c44u

struct sync_class {
    const char *name;    /* in messages: "mutex" */
    const char *in_use;  /* why it can be neither initialised nor destroyed: "is locked" */
    const char *changed; /* in messages about sections: "initialising or destroying a mutex" */
    /* A blocking operation of the kind can be taken now. NULL: none of them blocks. */
    bool (*is_enabled)(const sync_object *, enum operation_kind);
    /* Nothing but its owner matters: spin loops may wait for it. NULL: more does. */
    bool (*is_usual)(const sync_object *);
    /* The user's memory that steps of others look at, and init and destroy write; or NULL. */
    footprint (*memory)(const void *address, uint8_t mode);
    sync_life life;
    bool always_free; /* it can be initialised and destroyed at any time: later uses are in error */
    bool coarse_for_all; /* fine strategies see the difference, too */
    bool has_holders;    /* its marks are those who hold it: part of the state */
};

typedef struct sync_state {
    sync_object *objects; /* index 0 is unused */
    uint32_t count;
    uint32_t capacity;
    bool on_stacks; /* some are locals */
} sync_state;

extern sync_state syncs;

static inline sync_object *sync_object_at(uint32_t index) {
    CHECK(index < syncs.count);
    return &syncs.objects[index];
}

void sync_open(void);
void sync_close(void);
void sync_reset(void);

/* Part of the state; see state.h. What counts for equality, and the rest. */
struct state_cursor;
void sync_pass_visible(struct state_cursor *c);
void sync_pass_rest(struct state_cursor *c);

/* Checks that every object is found by its address, and that the threads that hold it or wait for
 * it exist; for debug builds. */
void sync_check_objects(void);

/* ---- finding them ---- */

/* Another object of the granule, or a new one. */
uint32_t sync_find(granule *g, uintptr_t address, const sync_class *class);

/* The index of the object at this address. */
static inline uint32_t sync_at(const volatile void *address, const sync_class *class) {
    granule *g = space_granule((uintptr_t)address);
    uint32_t index = g->sync;
    if (unlikely(sync_object_at(index)->address != (uintptr_t)address)) {
        index = sync_find(g, (uintptr_t)address, class);
    }
    sync_object_at(index)->class = class;
    return index;
}

/* The next object in the range, or 0. Looks at the granules there or at all objects, whichever are
 * fewer. Those that are not known yet make the exploration start over (sync_find). */
typedef struct sync_cursor {
    uint32_t at, next;
} sync_cursor;

uint32_t sync_next(uintptr_t start, size_t size, sync_cursor *c);

/* The access is so large that it may initialise an object, or copy it: an assignment, memset or
 * memcpy. (A smaller one, a spin lock, cannot be initialised like that.) */
static inline bool sync_may_lie_in(size_t size) {
    return size >= sizeof(pthread_barrier_t);
}

_Static_assert(sizeof(pthread_barrier_t) <= sizeof(pthread_mutex_t) &&
                   sizeof(pthread_barrier_t) <= sizeof(pthread_rwlock_t) &&
                   sizeof(pthread_barrier_t) <= sizeof(pthread_cond_t),
               "none is smaller but spin locks and onces");

/* Another process has found an object at this address; of which class shows when it is used.
 * Returns its number in footprints. */
sync_object *sync_expect(uintptr_t address);

/* The object with this number in footprints, or NULL. */
const sync_object *sync_by_object(uint32_t object);

static inline footprint sync_footprint(uint32_t index) {
    return footprint_single((memory_access){.object = sync_object_at(index)->object,
                                            .bytes = ACCESS_ALL_BYTES,
                                            .mode = ACCESS_READ_WRITE});
}

/* A part of the object: bytes stand for what is independent of each other. A null pointer has no
 * object, and its use is an error as soon as the step is taken. */
static inline footprint sync_part(const sync_object *s, uint8_t bytes, uint8_t mode) {
    DEBUG_CHECK((s->object || !s->address) && bytes && mode && mode <= ACCESS_READ_WRITE);
    return footprint_single((memory_access){.object = s->object, .bytes = bytes, .mode = mode});
}

/* As new; for initialisations. */
void sync_clear(sync_object *s);

/* The thread has left the frames there: it no longer holds the objects in them, so that later
 * objects at these addresses are new. Objects that other threads wait for stay as they are. */
void sync_end_frames(const runtime_thread *t, uintptr_t low, uintptr_t high);

/* A step has shown that it must be coarse. */
void sync_make_coarse(uint32_t index);

void sync_log_first(uint32_t index);

/* To be called before the object changes. Going back restores all of it that belongs to this
 * execution. */
static inline void sync_log(uint32_t index) {
    if (unlikely(sync_object_at(index)->unit != undo.unit)) {
        sync_log_first(index);
    }
}

/* ---- misuse ---- */

/* The object is about to be used: it must be alive. One look at its first bytes is enough. */
static inline void sync_check(runtime_thread *t, const volatile void *address, size_t size,
                              uint32_t location) {
    space_touch(t, (uintptr_t)address, size); /* the end of its frame matters */
    size = size < GRANULE_SIZE ? size : GRANULE_SIZE;
    validity_check(t, (uintptr_t)address, size, ACCESS_READ_WRITE, location);
}

static inline bool sync_is_usable(const void *address, const sync_class *class) {
    DEBUG_CHECK(class->life.offset + sizeof(uint32_t) <= class->life.size);
    uint32_t word = *(const uint32_t *)((const char *)address + class->life.offset);
    return class->life.ready
               ? word == class->life.ready || (class->life.shows_holders && word == SYNC_HELD)
               : word != class->life.destroyed;
}

/* The same outside of the program's fibers: a null pointer is not followed. */
static inline bool sync_seems_usable(const sync_object *s, const sync_class *class) {
    enum { NULL_PAGE = 4096 };
    return s->address >= NULL_PAGE && sync_is_usable((const void *)s->address, class);
}

/* The name of the object in the program; set by the target, which knows the source. */
extern void (*sync_describe)(const sync_object *, char *name, size_t size);

/* Ends the fiber: "unlock of m, a mutex that the thread does not hold", from "unlock of" and "the
 * thread does not hold". */
_Noreturn void sync_misuse(runtime_thread *t, uint32_t index, uint32_t location, const char *deed,
                           const char *why);

/* The same: "use of m, a mutex that was destroyed". */
_Noreturn void sync_fail_use(runtime_thread *t, uint32_t index, uint32_t location);

/* The same: "use of m, a mutex that is a copy of one that was locked". */
_Noreturn void sync_fail_copy(runtime_thread *t, uint32_t index, uint32_t location);

/* A write to all of these bytes: none of the objects there may be in use by others. */
void sync_check_overwriting(runtime_thread *t, uintptr_t start, size_t size, uint32_t location);

/* Where versions are kept (versions.h), its initialisation and destruction are plain writes for the
 * race detector, and every use is a plain read: one that is not ordered with them is an error. */
void sync_race(runtime_thread *t, uintptr_t address, const sync_class *class, uint8_t mode,
               uint32_t location);

/* The object is about to be used: its memory must be alive, and it itself usable. */
static inline void sync_check_usable(runtime_thread *t, uint32_t index, const sync_class *class,
                                     uint32_t location) {
    const void *address = (const void *)sync_object_at(index)->address;
    sync_check(t, address, class->life.size, location);
    if (unlikely(runtime.versions)) {
        sync_race(t, (uintptr_t)address, class, ACCESS_READ, location);
    }
    if (unlikely(!sync_is_usable(address, class))) {
        sync_fail_use(t, index, location);
    }
    if (unlikely(class->life.shows_holders && *(const uint32_t *)address == SYNC_HELD)) {
        const sync_object *s = sync_object_at(index);
        if (!s->owner && !s->count) {
            sync_fail_copy(t, index, location);
        }
    }
}

/* Sets the word of the program's variable that copies take over. */
void sync_show(const sync_object *s, size_t offset, uint32_t word);

/* The lock is held from now on, or no longer. */
static inline void sync_show_holders(const sync_object *s) {
    bool held = s->owner || s->count;
    uint32_t free = s->class->life.offset ? 0 : s->class->life.ready;
    DEBUG_CHECK(s->class->life.shows_holders);
    sync_show(s, 0, held ? SYNC_HELD : free);
}

/* ---- steps ---- */

static inline bool sync_is_free(const sync_object *s) {
    return !s->owner;
}

/* The thread takes a step on the object: notes whether it was free. If so, a later acquisition
 * could have come before the step, whatever that does. */
static inline void sync_arrive(runtime_thread *t, uint32_t index) {
    t->acquired = sync_is_free(sync_object_at(index));
}

extern const refresh_rule sync_refresh;

/* Announces an operation and returns when its step is taken. Inside an atomic section it is a part
 * of the step of the section. */
static inline __attribute__((always_inline)) void sync_step(runtime_thread *t, uint32_t index,
                                                            enum operation_kind kind,
                                                            uint32_t location) {
    if (likely(!t->section_depth)) {
        runtime_prepare(t, kind, sync_object_at(index)->object, sync_footprint(index), location);
        runtime_park(t);
    }
}

/* The same for an operation that blocks until the class says that it is enabled. */
static inline __attribute__((always_inline)) void sync_block(runtime_thread *t, uint32_t index,
                                                             enum operation_kind kind,
                                                             uint32_t location) {
    if (likely(!t->section_depth)) {
        runtime_prepare(t, kind, sync_object_at(index)->object, sync_footprint(index), location);
        t->pending.flags |= OPERATION_ACQUIRES | (kind == OPERATION_LOCK ? OPERATION_STAYS : 0);
        t->sync = index;
        t->refresh = &sync_refresh;
        runtime_park(t);
    } else if (!sync_object_at(index)->class->is_enabled(sync_object_at(index), kind)) {
        section_block(t);
    }
    sync_arrive(t, index);
}

/* The same for an operation of which the rule says when it is enabled and what it accesses. */
static inline __attribute__((always_inline)) void sync_wait(runtime_thread *t, uint32_t index,
                                                            enum operation_kind kind,
                                                            const refresh_rule *rule,
                                                            uint32_t location) {
    DEBUG_CHECK(!t->section_depth); /* section_forbid comes first */
    runtime_prepare(t, kind, sync_object_at(index)->object, sync_footprint(index), location);
    t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    t->sync = index;
    t->refresh = rule;
    runtime_park(t);
}

/* Init and destroy are steps too: their order with a lock matters in programs that use them
 * wrongly. They end the fiber if the object is in use. Before the program has threads they only
 * change the variable. sync_init returns the index, or 0 then. */
uint32_t sync_init(void *address, const sync_class *class, uint32_t location);
void sync_destroy(void *address, const sync_class *class, uint32_t location);

/* ---- objects that one thread holds at a time ---- */

static inline bool sync_owned(const runtime_thread *t, uint32_t index) {
    return sync_object_at(index)->owner == t->number + 1;
}

/* An object without owner is enabled, for all kinds of locks. */
bool sync_is_unowned(const sync_object *s, enum operation_kind kind);

/* The thread becomes the owner, or ceases to be: a take acquires what the last give released. */
void sync_take(runtime_thread *t, uint32_t index);
void sync_give(runtime_thread *t, uint32_t index);

#endif
