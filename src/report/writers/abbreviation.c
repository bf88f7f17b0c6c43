#include "report/writers/abbreviation.h"

#include <string.h>

#define ENOUGH_STEPS 50 /* schedules up to this length are never abbreviated */
#define BEGINNING    6
#define ENDING       24
#define RUN_EDGE     2  /* steps shown at both ends of a run of one thread */
#define MIDDLE       20 /* rows shown between beginning and ending */

/* A step inside a long run of one thread, neither early nor late. */
static bool is_dull(const finding *t, uint32_t index) {
    if (index < BEGINNING || index + ENDING >= t->steps.count ||
        vector_at(&t->steps, index).failed) {
        return false;
    }
    uint32_t thread = vector_at(&t->steps, index).step.thread;
    for (uint32_t i = index - RUN_EDGE; i <= index + RUN_EDGE; i++) {
        if (vector_at(&t->steps, i).step.thread != thread) {
            return false;
        }
    }
    return true;
}

/* Adds a step that is not shown, to the last row if that is one of the kind. */
static void hide(row_list *rows, uint32_t index) {
    if (rows->count && !vector_last(rows).shown) {
        vector_last(rows).count++;
    } else {
        vector_push(rows, (row){.first = index, .count = 1, .shown = false});
    }
}

/* Replaces the middle rows, if there are too many, by one that stands for them. */
static void cut_middle(row_list *rows) {
    uint32_t keep_first = BEGINNING + MIDDLE, keep_last = ENDING;
    if (rows->count <= keep_first + 1 + keep_last) {
        return;
    }
    uint32_t last = rows->count - keep_last;
    row gap = vector_at(rows, keep_first);
    gap.shown = false;
    gap.count = vector_at(rows, last).first - gap.first;
    vector_at(rows, keep_first) = gap;
    memmove(rows->items + keep_first + 1, rows->items + last, keep_last * sizeof(row));
    rows->count = keep_first + 1 + keep_last;
}

void abbreviate(const finding *t, bool full, row_list *rows) {
    bool all = full || t->steps.count <= ENOUGH_STEPS;
    for (uint32_t i = 0; i < t->steps.count; i++) {
        if (all || !is_dull(t, i)) {
            vector_push(rows, (row){.first = i, .count = 1, .shown = true});
        } else {
            hide(rows, i);
        }
    }
    if (!all) {
        cut_middle(rows);
    }
}
