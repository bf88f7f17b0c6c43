/* Data races by C11 happens-before: two accesses of overlapping bytes by different threads, at
 * least one of them a write, at least one not atomic, neither of which happens before the other.
 *
 * The order of the explorer (every conflict orders) would hide all of them, so the runtime keeps
 * vector clocks of its own: an edge comes only from creation, join, mutexes, and from atomic
 * operations whose memory orders make one. Atomic operations are executed as sequentially
 * consistent, but a relaxed one orders nothing here. Release sequences and fences are as in C11.
 *
 * For every granule there is a short list of accesses that later ones may race with. A write
 * removes what happened before it and lies inside it, so the list stays as short as the number of
 * threads (histories.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_RACE_RACE_H
#define HEDDLE_TARGETS_RUNTIME_RACE_RACE_H

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/sync/sync.h"

/* How much there is in the pools: what is taken from them later is given back (undo.h). */
typedef struct race_mark {
    uint32_t records, cells, slots, rows, touched, changes;
} race_mark;

/* What acquiring reads of one version of an atomic object synchronise with (kernel/versions.h). */
typedef struct race_version {
    uint32_t clock; /* a row of this execution's */
    bool released;  /* it is that of a release sequence */
} race_version;

/* Gives the object that version (it is about to be written if `writes`); and the version that it
 * has. */
void race_put_version(footprint f, const race_version *, bool writes);
void race_take_version(footprint f, race_version *);

void race_take_mark(race_mark *);
void race_go_back(const race_mark *);
void race_forget_marks(void);

/* The number of this execution, in which shadows are valid; the second sets it. */
uint32_t race_execution(void);
void race_rename_execution(uint32_t number);

/* All there is, for undo_check.h. */
void race_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

/* Clocks, shadows and pools refer to each other consistently, and no clock is ahead of its thread;
 * for debug builds. */
void race_check(void);

void race_open(void);
void race_close(void);
void race_reset(void);

/* A thread has been created: its clock starts from its creator's (NULL for main). */
void race_thread(runtime_thread *child, runtime_thread *creator);
void race_join(runtime_thread *t, const runtime_thread *child);

/* All that the other thread has done happens before what t does next. False: perhaps. */
bool race_has_seen(const runtime_thread *t, const runtime_thread *other);

/* Mutexes: lock acquires what unlock released. */
void race_acquire(runtime_thread *t, const sync_object *s);
void race_release(runtime_thread *t, sync_object *s);

/* The same for what keeps its clocks elsewhere. A release gives a new row that has what the thread
 * knows and what the earlier row has (0: none); 0 if races are not looked for. */
void race_acquire_row(runtime_thread *t, uint32_t row);
uint32_t race_release_row(runtime_thread *t, uint32_t earlier);

/* A plain access to one granule, or to whatever a footprint has. If it was like one that was
 * remembered, what that made of a history (histories.h); otherwise NULL. */
struct history_step;
const struct history_step *race_access(runtime_thread *t, uintptr_t address, size_t size,
                                       uint8_t mode, uint32_t location);
void race_accesses(runtime_thread *t, footprint f, uint32_t location);
void race_atomic_accesses(runtime_thread *t, footprint f, uint8_t mode, int order,
                          uint32_t location);

/* A step that was not atomic has accessed this: one granule, or all that it touches. */
static inline void race_plain(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                              uint32_t location) {
    if (runtime.races) {
        race_access(t, address, size, mode, location);
    }
}

static inline void race_plain_set(runtime_thread *t, footprint f, uint32_t location) {
    if (runtime.races && f != FOOTPRINT_EMPTY) {
        race_accesses(t, f, location);
    }
}

/* An atomic step: order is one of C11's (__ATOMIC_RELAXED …), mode what it did. */
static inline void race_atomic(runtime_thread *t, footprint f, uint8_t mode, int order,
                               uint32_t location) {
    if (runtime.races) {
        race_atomic_accesses(t, f, mode, order, location);
    }
}

/* Inside an atomic section every access is as good as atomic. */
void race_section(runtime_thread *t, footprint f, uint32_t location);

void race_fence(runtime_thread *t, int order);

/* A plain access to a range. */
void race_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode, uint32_t location);

/* The same for whole granules, as far as they were accessed before: nothing is kept of those that
 * were not. */
void race_known_range(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                      uint32_t location);

/* The thread has allocated these bytes, which were freed before: that is a write. A thread that
 * still uses the old address races with it. */
void race_allocate(runtime_thread *t, uintptr_t address, size_t size, uint32_t location);

/* Part of the state; see state.h. */
struct state_cursor;
void race_pass(struct state_cursor *c);

/* Notified of a race between the current access and an earlier one. */
typedef struct race_report {
    uint32_t object;
    uint8_t bytes;
    uint32_t thread, location, other_thread, other_location;
    bool writes, other_writes, atomic, other_atomic;
    bool frees; /* the current access is that of free or realloc */
} race_report;

/* The accesses that are checked are those of a free; set by the caller. */
extern bool race_frees;

/* What the current access is, and the earlier one: "write", "atomic read", "free". */
const char *race_access_word(const race_report *);
const char *race_other_word(const race_report *);

/* Whether the user has excluded the race from reports, or NULL; set by the target. */
extern bool (*race_is_ignored)(const race_report *report);

/* Makes the message; set by the target, which knows names and lines. */
extern const char *(*race_describe)(const race_report *report);

#endif
