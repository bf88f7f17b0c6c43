#include "report/chains.h"

#include <string.h>

/* The numbers of a thread's wanted steps. */
typedef VECTOR(step_numbers) chain_list;

/* The result of a sequence of threads: how many steps each has taken, in `rows` of the level. */
typedef struct state {
    uint32_t thread; /* that ran last */
    uint32_t from;   /* the state before, in the level before */
} state;

typedef struct level {
    VECTOR(state) states;
    VECTOR(uint32_t) rows;
} level;

typedef struct search {
    const chain_steps *steps;
    chain_list chains;
    step_numbers place; /* of each step in its chain */
    uint32_t total;     /* how many are needed */
    uint32_t last;      /* comes last; UINT32_MAX: none has to */
    VECTOR(level) levels;
} search;

static bool has_come(const search *s, const uint32_t *row, uint32_t number) {
    return row[vector_at(s->steps, number).thread] > vector_at(&s->place, number);
}

static uint32_t sum(const search *s, const uint32_t *row) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->chains.count; t++) {
        count += row[t];
    }
    return count;
}

static bool is_possible(const search *s, const uint32_t *row, uint32_t number) {
    const chain_step *c = &vector_at(s->steps, number);
    for (uint32_t i = 0; i < c->before.count; i++) {
        if (!has_come(s, row, vector_at(&c->before, i))) {
            return false;
        }
    }
    return number != s->last || sum(s, row) + 1 == s->total;
}

/* Runs the thread as far as it can; false if it cannot run at all. */
static bool run(const search *s, uint32_t *row, uint32_t thread) {
    const step_numbers *chain = &vector_at(&s->chains, thread);
    uint32_t before = row[thread];
    while (row[thread] < chain->count && is_possible(s, row, vector_at(chain, row[thread]))) {
        row[thread]++;
    }
    return row[thread] > before;
}

static bool is_known(const search *s, const level *l, const uint32_t *row) {
    uint32_t width = s->chains.count;
    for (uint32_t i = 0; i < l->states.count; i++) {
        if (memcmp(&vector_at(&l->rows, i * width), row, width * sizeof *row) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds all states that one more run leads to. True: the last one has all steps that are needed. */
static bool extend(search *s, const level *l, level *next) {
    uint32_t width = s->chains.count;
    VECTOR(uint32_t) row = {0};
    bool whole = false;
    for (uint32_t i = 0; i < l->states.count && !whole; i++) {
        for (uint32_t t = 0; t < width && !whole; t++) {
            vector_assign(&row, &vector_at(&l->rows, i * width), width);
            if (next->states.count == CHAINS_MOST || !run(s, row.items, t)) {
                continue;
            }
            whole = sum(s, row.items) == s->total;
            if (whole || !is_known(s, next, row.items)) {
                vector_push(&next->states, (state){t, i});
                vector_append(&next->rows, row.items, width);
            }
        }
    }
    vector_free(&row);
    return whole;
}

/* The threads of the runs, from the first to the last. */
static void trace_back(const search *s, step_numbers *threads) {
    uint32_t at = vector_last(&s->levels).states.count - 1;
    vector_resize(threads, s->levels.count - 1);
    for (uint32_t i = s->levels.count; i-- > 1;) {
        state reached = vector_at(&vector_at(&s->levels, i).states, at);
        vector_at(threads, i - 1) = reached.thread;
        at = reached.from;
    }
}

static void write_order(const search *s, step_numbers *order) {
    step_numbers threads = {0};
    VECTOR(uint32_t) row = {0};
    trace_back(s, &threads);
    for (uint32_t t = 0; t < s->chains.count; t++) {
        vector_push(&row, 0);
    }
    vector_clear(order);
    for (uint32_t i = 0; i < threads.count; i++) {
        uint32_t thread = vector_at(&threads, i), taken = vector_at(&row, thread);
        run(s, row.items, thread);
        for (; taken < vector_at(&row, thread); taken++) {
            vector_push(order, vector_at(&vector_at(&s->chains, thread), taken));
        }
    }
    vector_free(&threads);
    vector_free(&row);
}

static void gather(search *s, const chain_steps *steps, bool last) {
    for (uint32_t i = 0; i < steps->count; i++) {
        const chain_step *c = &vector_at(steps, i);
        while (s->chains.count <= c->thread) {
            vector_push(&s->chains, (step_numbers){0});
        }
        step_numbers *chain = &vector_at(&s->chains, c->thread);
        vector_push(&s->place, chain->count);
        if (c->wanted) {
            vector_push(chain, i);
            s->last = last ? i : UINT32_MAX;
            s->total++;
        }
    }
}

static void free_search(search *s) {
    for (uint32_t i = 0; i < s->chains.count; i++) {
        vector_free(&vector_at(&s->chains, i));
    }
    for (uint32_t i = 0; i < s->levels.count; i++) {
        vector_free(&vector_at(&s->levels, i).states);
        vector_free(&vector_at(&s->levels, i).rows);
    }
    vector_free(&s->chains);
    vector_free(&s->place);
    vector_free(&s->levels);
}

void chains_order(const chain_steps *steps, bool last, step_numbers *order) {
    search s = {.steps = steps};
    bool whole = false;
    gather(&s, steps, last);
    level first = {0};
    vector_push(&first.states, (state){0});
    for (uint32_t t = 0; t < s.chains.count; t++) {
        vector_push(&first.rows, 0);
    }
    vector_push(&s.levels, first);
    while (!whole && s.total) {
        level next = {0};
        whole = extend(&s, &vector_last(&s.levels), &next);
        CHECK(next.states.count); /* what has to come before has no cycle */
        vector_push(&s.levels, next);
    }
    write_order(&s, order);
    free_search(&s);
}

void chains_want(chain_steps *chains, uint32_t number) {
    step_numbers stack = {0};
    vector_push(&stack, number);
    while (stack.count) {
        chain_step *c = &vector_at(chains, vector_pop(&stack));
        if (!c->wanted) {
            c->wanted = true;
            vector_append(&stack, c->before.items, c->before.count);
        }
    }
    vector_free(&stack);
}

void chains_free(chain_steps *steps) {
    for (uint32_t i = 0; i < steps->count; i++) {
        vector_free(&vector_at(steps, i).before);
    }
    vector_free(steps);
}
