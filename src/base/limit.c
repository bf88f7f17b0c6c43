#include "base/limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/text.h"

typedef struct row {
    const char *name;
    uint64_t most;
    const char *words;
    bool reached, stopped;
} row;

#define LIMIT_ROW(limit, name, most, words) [limit] = {name, most, words, false, false},
static row rows[LIMIT_COUNT] = {LIMITS(LIMIT_ROW)};

volatile bool limit_stops, limit_abandoned;
jmp_buf *limit_exit;

#ifdef HEDDLE_TORTURE
/* "objects=2,text=2" */
static void read_environment(void) {
    static bool done;
    const char *at = done ? NULL : getenv("HEDDLE_LIMITS");
    done = true;
    while (at && *at) {
        size_t length = strcspn(at, "=,");
        for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
            if (text_is(at, length, rows[i].name)) {
                rows[i].most = strtoull(at + length + (at[length] == '='), NULL, 10);
            }
        }
        at += strcspn(at, ",");
        at += *at == ',';
    }
}
#else
static void read_environment(void) {
}
#endif

uint64_t limit_most(enum limit limit) {
    read_environment();
    return rows[limit].most;
}

void limit_reached(enum limit limit) {
    rows[limit].reached = true;
}

void limit_stop(enum limit limit) {
    rows[limit].reached = rows[limit].stopped = true;
    limit_stops = true;
}

void limit_abandon(void) {
    limit_stops = limit_abandoned = true;
}

void limit_escape(enum limit limit) {
    limit_stop(limit);
    if (limit_exit) {
        longjmp(*limit_exit, 1);
    }
    fprintf(stderr, "heddle: %s\n", rows[limit].words);
    _Exit(EXIT_INCOMPLETE);
}

bool limit_was_reached(enum limit limit) {
    return rows[limit].reached;
}

bool limit_has_stopped(enum limit limit) {
    return rows[limit].stopped;
}

const char *limit_words(enum limit limit) {
    return rows[limit].words;
}

void limit_clear(void) {
    limit_stops = limit_abandoned = false;
    for (uint32_t i = 0; i < LIMIT_COUNT; i++) {
        rows[i].reached = rows[i].stopped = false;
    }
}
