/* Going back instead of starting over: a log of what steps change, by units.
 *
 * A unit is some tens of steps. Within it only the first change of a thread (its control block and
 * its stack), of a synchronisation object, of a mailbox, and of a shadow or a clock of the race
 * detector is logged, and the old bytes of every write to memory that others see. Going back
 * restores everything, the latest change first, to the start of the nearest unit; the few steps
 * left are replayed. Logging single steps, so that nothing has to be replayed, was tried and took
 * longer than replaying.
 *
 * What belongs to one execution and is not logged must not change while a unit is open: code that
 * changes it calls undo_forget, and going back then starts over (undo_disable: from now on always).
 * So do programs whose writes heddle does not see, and explorations that compare states, for which
 * the garbage on stacks counts.
 *
 * Numbers of units are never used again, so that a number that is restored with its owner is that
 * of an older unit. Pools that move are logged by their offsets. The log has a largest size; beyond
 * it the contents are forgotten, and logging starts again. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runtime_thread;

typedef struct undo_state {
    uint32_t unit;    /* the number of the open one; 0: nothing is logged */
    uint32_t numbers; /* given out so far */
    uint64_t due;     /* when runtime.steps is this, the next unit begins */
    uint64_t start;   /* runtime.steps at the reset, if no step had been taken back since */
    bool disabled;    /* for this program */
    unsigned char *log;
    size_t used;
} undo_state;

extern undo_state undo;

void undo_open(void);
void undo_close(void);

/* Forgets everything, because the program is about to start over by other means; the second logs
 * again from that start on, if that is possible. */
void undo_stop(void);
void undo_start(void);

/* Whether the log pays depends on what it saves. A start, or a replay of that many steps, began
 * then. */
uint64_t undo_clock(void);
void undo_note_start(uint64_t since);
void undo_note_replay(uint64_t since, uint32_t steps);

/* Steps taken since the reset that have not been taken back. */
uint32_t undo_length(void);

/* The program was put into a state that its steps have not led to. */
void undo_stray(void);

/* Between two steps: a unit begins, if logging is possible. */
void undo_begin_unit(void);

/* The same where a replay has ended, unless the last unit began just before. */
void undo_land(void);

/* Goes back to the start of a unit, after at most `length` steps; false: starting over is better,
 * or the only way. */
bool undo_back(uint32_t length);

/* The program is where the last unit begins, however it got there. */
void undo_renew(void);

/* The units follow each other in the execution and in the log; for debug builds. */
void undo_check_units(void);

/* The place of the last unit in the list of them. */
uint32_t undo_last_unit(void);

/* Something changes that is not logged. */
void undo_forget(void);
void undo_disable(void);

/* ---- what is about to change ---- */

void undo_log_bytes(uintptr_t address, size_t size);
void undo_log_thread(struct runtime_thread *);
void undo_log_record(struct runtime_thread *);
void undo_log_items(void *items, size_t offset, size_t size);
void undo_log_start(uint32_t thread);

/* Granules that were logged lately, by their numbers modulo UNDO_SLOTS: within their unit they need
 * not be logged again. */
typedef struct undo_slot {
    uintptr_t granule;
    uint32_t unit;
} undo_slot;

enum { UNDO_SLOTS = 256, UNDO_GRANULE = 8 };

extern undo_slot undo_slots[UNDO_SLOTS];

void undo_log_granule(uintptr_t granule);

/* Memory. It is touched before the log changes: a fault is the program's. */
static inline void undo_write(uintptr_t address, size_t size) {
    if (!undo.unit) {
        return;
    }
    uintptr_t granule = address / UNDO_GRANULE;
    if (size - 1 >= UNDO_GRANULE - address % UNDO_GRANULE) { /* also if it is 0 */
        undo_log_bytes(address, size);
        return;
    }
    const undo_slot *slot = &undo_slots[granule % UNDO_SLOTS];
    if (slot->granule != granule || slot->unit != undo.unit) {
        undo_log_granule(granule);
    }
}

/* Elements of an array that may move: `items` is where its address stands. */
static inline void undo_items(void *items, size_t offset, size_t size) {
    if (undo.unit) {
        undo_log_items(items, offset, size);
    }
}

#endif
