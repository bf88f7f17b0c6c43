#include "oracle/alphabet.h"

#include <string.h>

#include "base/check.h"

/* ---- letters ---- */

static sketch_op on_cell(enum sketch_kind kind, uint32_t cell, uint32_t value) {
    return (sketch_op){.kind = (uint8_t)kind, .cell = (uint8_t)cell, .value = (int8_t)value};
}

static bool is_about_mutex(const sketch_op *op) {
    return op->kind == SKETCH_LOCK || op->kind == SKETCH_UNLOCK || op->kind == SKETCH_TRYLOCK ||
           op->kind == SKETCH_TRY_SECTION;
}

static void find_accesses(letter *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        const sketch_op *op = &s->ops[i];
        uint32_t cell = 1u << (op->cell + (is_about_mutex(op) ? ALPHABET_VARIABLES : 0));
        if (op->kind == SKETCH_ATOMIC || op->kind == SKETCH_ATOMIC_END) {
            continue;
        }
        s->accesses++;
        if (op->kind == SKETCH_READ || op->kind == SKETCH_AWAIT) {
            s->reads |= cell;
        } else {
            s->writes |= cell;
        }
    }
}

static void add_letter(alphabet *a, letter s) {
    CHECK(a->count < ALPHABET_LETTERS);
    find_accesses(&s);
    a->letters[a->count++] = s;
}

static void add_single(alphabet *a, sketch_op op) {
    add_letter(a, (letter){.count = 1, .ops = {op}});
}

static void add_section(alphabet *a, sketch_op first, sketch_op second) {
    sketch_op begin = {.kind = SKETCH_ATOMIC}, end = {.kind = SKETCH_ATOMIC_END};
    add_letter(a, (letter){.count = 4, .ops = {begin, first, second, end}});
}

/* Sections of two accesses to two variables. Two reads come in both orders, because the later one
 * is the thread's last value; otherwise the order changes nothing. */
static void add_sections(alphabet *a, const alphabet_request *q) {
    for (uint32_t x = 0; x < q->variables; x++) {
        for (uint32_t y = 0; y < q->variables; y++) {
            if (x == y) {
                continue;
            }
            add_section(a, on_cell(SKETCH_READ, x, 0), on_cell(SKETCH_READ, y, 0));
            for (uint32_t v = 1; v <= q->values; v++) {
                add_section(a, on_cell(SKETCH_READ, x, 0), on_cell(SKETCH_WRITE, y, v));
                for (uint32_t w = 1; x < y && w <= q->values; w++) {
                    add_section(a, on_cell(SKETCH_WRITE, x, v), on_cell(SKETCH_WRITE, y, w));
                }
            }
        }
    }
}

/* A read, and a write that happens only if it returned something, or nothing. */
static void add_varying_sections(alphabet *a, const alphabet_request *q) {
    for (uint32_t x = 0; x < q->variables; x++) {
        for (uint32_t y = 0; y < q->variables; y++) {
            for (uint32_t v = 1; v <= q->values; v++) {
                sketch_op write = on_cell(SKETCH_WRITE, y, v);
                write.guard = GUARD_SET;
                add_section(a, on_cell(SKETCH_READ, x, 0), write);
                write.guard = GUARD_CLEAR;
                add_section(a, on_cell(SKETCH_READ, x, 0), write);
            }
        }
    }
}

/* An operation on each cell, with each value from `least` on. */
static void add_on_cells(alphabet *a, enum sketch_kind kind, uint32_t cells, uint32_t least,
                         uint32_t most) {
    for (uint32_t cell = 0; cell < cells; cell++) {
        for (uint32_t value = least; value <= most; value++) {
            add_single(a, on_cell(kind, cell, value));
        }
    }
}

static bool add_kind(alphabet *a, const alphabet_request *q, char kind) {
    switch (kind) {
        case 'r': add_on_cells(a, SKETCH_READ, q->variables, 0, 0); return true;
        case 'w': add_on_cells(a, SKETCH_WRITE, q->variables, 1, q->values); return true;
        case 'a': add_on_cells(a, SKETCH_ADD, q->variables, 1, 1); return true;
        case 'c': add_on_cells(a, SKETCH_CAS, q->variables, 1, q->values); return true;
        case 'i': add_on_cells(a, SKETCH_AWAIT, q->variables, 0, q->values); return true;
        case 'l': add_on_cells(a, SKETCH_LOCK, q->mutexes, 0, 0); return true;
        case 'u': add_on_cells(a, SKETCH_UNLOCK, q->mutexes, 0, 0); return true;
        case 'k': add_on_cells(a, SKETCH_TRYLOCK, q->mutexes, 0, 0); return true;
        case 't': add_on_cells(a, SKETCH_TRY_SECTION, q->mutexes, 0, 0); return true;
        case 's': add_sections(a, q); return true;
        case 'v': add_varying_sections(a, q); return true;
        default: return false;
    }
}

/* ---- renamings ---- */

typedef struct renaming {
    uint8_t variables[ALPHABET_VARIABLES];
    uint8_t mutexes[ALPHABET_MUTEXES];
    bool swaps_values[ALPHABET_VARIABLES]; /* 1 and 2, of the variable with that old name */
} renaming;

static sketch_op renamed_op(const renaming *r, sketch_op op) {
    if (op.kind == SKETCH_ATOMIC || op.kind == SKETCH_ATOMIC_END) {
        return op;
    }
    if (is_about_mutex(&op)) {
        op.cell = r->mutexes[op.cell];
        return op;
    }
    if (r->swaps_values[op.cell] && op.value) {
        op.value = (int8_t)(3 - op.value);
    }
    op.cell = r->variables[op.cell];
    return op;
}

static bool same_op(const sketch_op *a, const sketch_op *b) {
    return a->kind == b->kind && a->guard == b->guard && a->cell == b->cell && a->value == b->value;
}

static bool same_letter(const letter *a, const letter *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        same = same_op(&a->ops[i], &b->ops[i]);
    }
    bool both_write = a->count == 4 && b->count == 4 && a->ops[1].kind == SKETCH_WRITE;
    return same ||
           (both_write && same_op(&a->ops[1], &b->ops[2]) && same_op(&a->ops[2], &b->ops[1]));
}

static void add_renaming(alphabet *a, const renaming *r) {
    CHECK(a->renaming_count < ALPHABET_RENAMINGS);
    uint8_t *to = a->renamings[a->renaming_count];
    bool changes = false;
    for (uint32_t i = 0; i < a->count; i++) {
        letter s = a->letters[i];
        for (uint32_t k = 0; k < s.count; k++) {
            s.ops[k] = renamed_op(r, s.ops[k]);
        }
        to[i] = 0;
        while (!same_letter(&a->letters[to[i]], &s)) {
            to[i]++;
            CHECK(to[i] < a->count);
        }
        changes |= to[i] != i;
    }
    a->renaming_count += changes;
}

/* All orders of up to three names. */
static uint32_t permutation_count(uint32_t names) {
    return names == 3 ? 6 : names == 2 ? 2 : 1;
}

static void permute(uint8_t *to, uint32_t names, uint32_t number) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1},
                                         {0, 2, 1}, {1, 2, 0}, {2, 1, 0}};
    for (uint32_t i = 0; i < names; i++) {
        to[i] = orders[number][i];
    }
}

static void add_renamings(alphabet *a, const alphabet_request *q) {
    /* A fetch-add knows that 2 is more than 1. */
    bool values = q->values == 2 && !strchr(q->kinds, 'a');
    uint32_t swaps = values ? 1u << q->variables : 1;
    for (uint32_t v = 0; v < permutation_count(q->variables); v++) {
        for (uint32_t m = 0; m < permutation_count(q->mutexes); m++) {
            for (uint32_t swap = 0; swap < swaps; swap++) {
                renaming r = {0};
                permute(r.variables, q->variables, v);
                permute(r.mutexes, q->mutexes, m);
                for (uint32_t i = 0; i < q->variables; i++) {
                    r.swaps_values[i] = swap >> i & 1;
                }
                add_renaming(a, &r);
            }
        }
    }
}

static bool is_between(uint32_t number, uint32_t most) {
    return number >= 1 && number <= most;
}

bool alphabet_build(alphabet *a, const alphabet_request *q) {
    *a = (alphabet){0};
    if (!is_between(q->variables, ALPHABET_VARIABLES) ||
        !is_between(q->mutexes, ALPHABET_MUTEXES) || !is_between(q->values, ALPHABET_VALUES)) {
        return false;
    }
    for (const char *kind = q->kinds; *kind; kind++) {
        if (strchr(q->kinds, *kind) == kind && !add_kind(a, q, *kind)) {
            return false;
        }
    }
    add_renamings(a, q);
    return a->count > 0;
}
