/* Histories of plain accesses: what the race detector keeps of the accesses to half a granule. (Two
 * variables of four bytes often share a granule, so its halves are kept apart.)
 *
 * A history is a list of the accesses that later ones may race with, the latest one first. Lists
 * never change: an access gives its bytes another one, which shares what stays. So memory that was
 * accessed in the same way has the same history, and needs only its number: a word in a table that
 * mirrors the memory (space_history). What an access makes of a history is remembered for the
 * accesses after it, which are mostly like it, until the thread's clock changes.
 *
 * Granules with atomic accesses, and objects that are no memory, have a shadow (shadow.h), which
 * has their histories; the words of such a granule then have the number of the object, for good.
 *
 * Words that are not 0 in this execution are known as runs (race.touched), perhaps with others, or
 * more than once (kernel/streak.h): a reset clears these. Those that had a history before the unit
 * of the log changed them are kept with it (race.changes). Histories that begin at
 * race.mark.records or after it are of the open unit. */
#ifndef HEDDLE_TARGETS_RUNTIME_RACE_HISTORIES_H
#define HEDDLE_TARGETS_RUNTIME_RACE_HISTORIES_H

#include "base/limit.h"
#include "base/vector.h"
#include "targets/runtime/race/race.h"

enum { RACE_ATOMIC = 4 }; /* beside enum access_mode */
_Static_assert(!((int)RACE_ATOMIC & (int)ACCESS_READ_WRITE), "a mode says both");

enum { HALF_SIZE = 4, HALF_BYTES = 0xf, RACE_HALVES = 2 };

/* Who accessed what in which way: thread, bytes of the half, ACCESS_READ or ACCESS_WRITE. */
typedef uint32_t plain_access;

_Static_assert(RUNTIME_MAX_THREADS <= UINT16_MAX, "accesses name their threads");

static inline plain_access plain_access_of(const runtime_thread *t, uint32_t bytes, uint8_t mode) {
    return t->number << 16 | bytes << 8 | (mode & ACCESS_WRITE ? ACCESS_WRITE : ACCESS_READ);
}

static inline uint32_t plain_thread(plain_access a) {
    return a >> 16;
}

static inline uint32_t plain_bytes(plain_access a) {
    return a >> 8 & HALF_BYTES;
}

static inline uint8_t plain_mode(plain_access a) {
    return (uint8_t)a;
}

typedef struct access_record {
    uint32_t next;
    uint32_t time; /* the thread's own counter, never 0 */
    uint32_t location;
    plain_access access;
} access_record;

/* What an access made of a history, at that stamp. */
typedef struct history_step {
    uint64_t stamp;
    uint32_t before, after;
    uint32_t location;
    plain_access access;
} history_step;

/* Words one after the other that had the same history. */
typedef struct word_run {
    uint32_t *first;
    uint32_t count;
    uint32_t history;
} word_run;

/* Unused records are only looked for if there are at least this many. */
enum { RACE_LEAST_CROWD = LIMIT_TORTURE ? 1 << 9 : 1 << 16 };

/* In a word: the rest is the number of an object that has a shadow. */
#define RACE_OWNED ((uint32_t)1 << 31)

/* Words are about to change, the first time in this unit; all of them have the same history. */
void race_note_words(uint32_t *first, uint32_t count);

/* Whether that is needed where words have this history. */
bool race_words_are_noted(uint32_t history);

/* The shadow of the object takes the histories of its granule over. */
void race_own_words(uint32_t object);

/* Restores the words that were noted after the mark; and those of the whole execution, in which
 * nothing was accessed then. */
void race_put_words_back(const race_mark *);
void race_clear_words(void);

/* Frees unused histories, if there may be many. */
void race_collect(void);

/* For undo_check.h, and for debug builds. */
typedef void race_visitor(const char *name, uint32_t number, const void *data, size_t size);
void race_visit_words(race_visitor *visit);
void race_visit_history(race_visitor *visit, uint32_t number, uint32_t history);
void race_check_words(void);
void race_check_history(uint32_t history);

struct state_cursor;
void race_pass_words(struct state_cursor *c);

#endif
