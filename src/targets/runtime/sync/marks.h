/* What synchronisation objects remember of steps: posts of a semaphore, who reads under a
 * read-write lock, who has arrived at a barrier. Marks are linked from the latest to the earliest
 * and never change once they are made; removing one makes new ones for those in front of it. An
 * object thus refers to its marks by one number, and going back to an earlier state of it needs
 * nothing more. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_MARKS_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_MARKS_H

#include "targets/runtime/kernel/runtime.h"

typedef struct sync_mark {
    uint32_t thread;
    uint32_t events;   /* of the thread, its step included */
    uint32_t clock;    /* row of the race detector, or 0 */
    uint32_t previous; /* 0: none */
} sync_mark;

void marks_close(void);
void marks_reset(void);

/* The number of marks. The second forgets the latest ones, so that `count` are left (undo.h). */
uint32_t marks_count(void);
void marks_go_back(uint32_t count);

/* All of them, for undo_check.h. */
void marks_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

/* A mark of the thread's current step in front of those from `latest` on (0: none). */
uint32_t marks_add(const runtime_thread *t, uint32_t clock, uint32_t latest);

/* Checks that the marks lead from the latest to the earliest, and that their threads exist; for
 * debug builds. */
void marks_check(uint32_t latest);

const sync_mark *marks_at(uint32_t mark);

/* The latest mark of the thread, or 0. */
uint32_t marks_find(uint32_t latest, uint32_t thread);

/* The marks without the latest one of the thread. */
uint32_t marks_without(uint32_t latest, uint32_t thread);

/* Part of the state; see state.h. */
struct state_cursor;
void marks_pass(struct state_cursor *c);

#endif
