#include "cli/parts.h"

#include <stdlib.h>
#include <string.h>

void parts_free(part_list *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        checkpoint_free(&vector_at(parts, i).checkpoint);
    }
    vector_free(parts);
}

bool parts_belong_together(const part_list *parts, text *message) {
    const part *first = &vector_at(parts, 0);
    for (uint32_t i = 0; i < parts->count; i++) {
        const part *p = &vector_at(parts, i);
        const checkpoint *c = &p->checkpoint;
        if (!c->parts) {
            text_format(message,
                        "merge: %s is a checkpoint, but not a part that heddle split wrote",
                        p->path);
            return false;
        }
        if (c->split != first->checkpoint.split || c->parts != first->checkpoint.parts ||
            c->program != first->checkpoint.program) {
            text_format(message, "merge: %s and %s are not parts of the same exploration",
                        first->path, p->path);
            return false;
        }
    }
    return true;
}

/* ---- missing parts ---- */

static const part *find(const part_list *parts, uint32_t number, uint32_t from) {
    for (uint32_t i = from; i < parts->count; i++) {
        if (vector_at(parts, i).checkpoint.part == number) {
            return &vector_at(parts, i);
        }
    }
    return NULL;
}

static void note(tally *notes, const text *words) {
    tally_warn(notes, text_string(words), true);
}

static void note_missing(const part_list *parts, uint32_t count, tally *notes) {
    for (uint32_t number = 1; number <= count; number++) {
        text words = {0};
        if (!find(parts, number, 0)) {
            text_format(&words, "part %u of %u is missing", number, count);
            note(notes, &words);
        }
        text_free(&words);
    }
}

static void note_faults(const part_list *parts, tally *notes) {
    for (uint32_t i = 0; i < parts->count; i++) {
        const part *p = &vector_at(parts, i), *first = find(parts, p->checkpoint.part, 0);
        uint32_t number = p->checkpoint.part, count = p->checkpoint.parts;
        text words = {0};
        if (first != p) {
            text_format(&words, "part %u of %u was given twice: %s and %s; the first is used",
                        number, count, first->path, p->path);
            note(notes, &words);
        } else if (!checkpoint_is_finished(&p->checkpoint)) {
            text_format(&words,
                        "part %u of %u is unfinished: heddle check --resume=%s continues it",
                        number, count, p->path);
            note(notes, &words);
        }
        text_free(&words);
    }
}

/* ---- the parts ---- */

/* A part that had to start over has explored everything, if it is finished: the others relied on
 * something that turned out to be wrong. */
static part *find_restarted(const part_list *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        part *p = &vector_at(parts, i);
        if (p->checkpoint.restarted && checkpoint_is_finished(&p->checkpoint)) {
            return p;
        }
    }
    return NULL;
}

static void move_stretches(checkpoint *from, stretch_list *to) {
    for (uint32_t i = 0; i < from->stretches.count; i++) {
        stretch *s = vector_at(&from->stretches, i);
        s->state = STRETCH_OVER;
        s->whole = false;
        stored_free(&s->work);
        vector_push(to, s);
    }
    vector_clear(&from->stretches);
}

typedef struct ranked {
    stretch *stretch;
    uint32_t rank; /* where it was */
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *left = a, *right = b;
    uint32_t one = left->stretch->piece, other = right->stretch->piece;
    return one != other ? (one > other) - (one < other)
                        : (left->rank > right->rank) - (left->rank < right->rank);
}

/* Sorted by piece; those of one piece stay in their order. */
static void sort_by_piece(stretch_list *list) {
    VECTOR(ranked) order = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        vector_push(&order, (ranked){vector_at(list, i), i});
    }
    if (order.count) {
        qsort(order.items, order.count, sizeof *order.items, compare);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        vector_at(list, i) = vector_at(&order, i).stretch;
    }
    vector_free(&order);
}

/* Without -k an error ends everything after it. */
static void cut_after_end(stretch_list *list) {
    uint32_t kept = 0;
    while (kept < list->count && vector_at(list, kept)->end == EXPLORATION_COMPLETE) {
        kept++;
    }
    while (list->count > kept + 1) {
        stretch_free(vector_pop(list));
    }
}

void parts_merge(part_list *parts, checkpoint *all) {
    tally notes = {0};
    part *restarted = find_restarted(parts);
    all->parts = all->part = 0;
    all->seconds = 0;
    if (!restarted) {
        note_missing(parts, vector_at(parts, 0).checkpoint.parts, &notes);
        note_faults(parts, &notes);
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        part *p = &vector_at(parts, i);
        bool wanted = restarted
                          ? p == restarted
                          : find(parts, p->checkpoint.part, 0) == p && !p->checkpoint.restarted;
        all->seconds += p->checkpoint.seconds;
        if (wanted) {
            move_stretches(&p->checkpoint, &all->stretches);
        }
    }
    sort_by_piece(&all->stretches);
    cut_after_end(&all->stretches);
    stretch *last = stretch_add(&all->stretches, 0);
    last->state = STRETCH_OVER;
    last->tally = notes;
}
