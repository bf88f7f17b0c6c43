#include "report/writers/abbreviation.h"

#include <string.h>

#include "report/deadlock.h"

#define ENOUGH_STEPS 40 /* schedules up to this length are never abbreviated */
#define BEGINNING    2
#define ENDING       5
#define LEAST_HIDDEN 3 /* fewer steps than that are shown */
#define ROWS_FIRST   26
#define ROWS_LAST    24

typedef VECTOR(bool) flag_list;

static void mark(flag_list *worth, uint32_t step) {
    if (step < worth->count) {
        vector_at(worth, step) = true;
    }
}

/* A thread waits to be woken: every wakeup is relevant. */
static void mark_wakes(const finding *f, flag_list *worth) {
    for (uint32_t n = 0; n < f->steps.count; n++) {
        if (operation_has_role(vector_at(&f->steps, n).kind, ROLE_WAKES_ONE | ROLE_WAKES_ALL)) {
            mark(worth, n);
        }
    }
}

/* Marks the step after which the thread was blocked, that in which it began to wait for a signal,
 * and those that took what it waits for. */
static void mark_waits(const finding *f, flag_list *worth) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        const finding_wait *w = &vector_at(&f->waits, i);
        bool own = false, holder = false;
        if (operation_has_role(w->kind, ROLE_RESUMES)) {
            mark_wakes(f, worth);
        }
        mark(worth, deadlock_waits_since(f, w));
        for (uint32_t n = f->steps.count; n-- > 0 && !(own && holder);) {
            const finding_step *s = &vector_at(&f->steps, n);
            if (!own && s->step.thread == w->thread) {
                own = true;
                mark(worth, n);
            }
            if (!holder && s->acquired && s->object == w->object) {
                holder = true;
                mark(worth, n);
            }
        }
    }
}

static void mark_worth(const finding *f, flag_list *worth) {
    vector_resize(worth, f->steps.count);
    for (uint32_t i = 0; i < f->steps.count; i++) {
        bool edge = i < BEGINNING || i + ENDING >= f->steps.count;
        vector_at(worth, i) = edge || vector_at(&f->steps, i).failed;
    }
    for (uint32_t i = 0; i < f->edges.count; i++) {
        mark(worth, vector_at(&f->edges, i).before);
        mark(worth, vector_at(&f->edges, i).after);
    }
    for (uint32_t i = 0; i < f->relations.count; i++) {
        mark(worth, vector_at(&f->relations, i).step);
    }
    if (f->doomed != FINDING_NO_STEP && f->doomed > 0) {
        mark(worth, f->doomed - 1);
    }
    mark_waits(f, worth);
}

/* Shows runs of a few steps in between. */
static void fill_small_gaps(flag_list *worth) {
    uint32_t start = 0;
    for (uint32_t i = 0; i <= worth->count; i++) {
        if (i == worth->count || vector_at(worth, i)) {
            for (uint32_t n = start; n < i && i - start < LEAST_HIDDEN; n++) {
                vector_at(worth, n) = true;
            }
            start = i + 1;
        }
    }
}

/* Adds a step that is not shown, to the last row if that has such steps. */
static void hide(row_list *rows, uint32_t index) {
    if (rows->count && !vector_last(rows).shown) {
        vector_last(rows).count++;
    } else {
        vector_push(rows, (row){.first = index, .count = 1, .shown = false});
    }
}

/* Replaces the middle rows, if there are too many, by one row. */
static void cut_middle(row_list *rows) {
    if (rows->count <= ROWS_FIRST + 1 + ROWS_LAST) {
        return;
    }
    uint32_t last = rows->count - ROWS_LAST;
    row gap = vector_at(rows, ROWS_FIRST);
    gap.shown = false;
    gap.count = vector_at(rows, last).first - gap.first;
    vector_at(rows, ROWS_FIRST) = gap;
    vector_remove(rows, ROWS_FIRST + 1, last - (ROWS_FIRST + 1));
}

void abbreviate(const finding *f, bool full, row_list *rows) {
    bool all = full || f->steps.count <= ENOUGH_STEPS;
    flag_list worth = {0};
    if (!all) {
        mark_worth(f, &worth);
        fill_small_gaps(&worth);
    }
    for (uint32_t i = 0; i < f->steps.count; i++) {
        if (all || vector_at(&worth, i)) {
            vector_push(rows, (row){.first = i, .count = 1, .shown = true});
        } else {
            hide(rows, i);
        }
    }
    if (!all) {
        cut_middle(rows);
    }
    vector_free(&worth);
}
