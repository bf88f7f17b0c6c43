/* Items of random programs: an operation, or a few that belong together. */
#ifndef HEDDLE_ORACLE_GENERATOR_ITEMS_H
#define HEDDLE_ORACLE_GENERATOR_ITEMS_H

#include "base/random.h"
#include "oracle/generator.h"
#include "oracle/kinds.h"

typedef struct generator {
    random_source random;
    const generator_kind *kind;
    uint32_t size; /* percent */
    sketch *sketch;
    sketch_thread *thread; /* being filled */
    uint32_t number;       /* its number */
    uint32_t budget;       /* operations it may still get */
    uint32_t depth;        /* of sections and blocks */
    uint32_t held;         /* mutexes, as a set of bits */
    uint8_t guard;         /* on every operation while inside a guarded pattern */
    uint32_t objects;
    uint32_t variables, mutexes, conditions; /* how many of the kind's the program uses */
    uint32_t receiver;                       /* the thread that gets most messages */
    bool straight;                           /* sections without branches */
    bool inside;                             /* an atomic section */
    bool language;                           /* what only the language can say is allowed */
    bool misuse;                             /* an unlock or a wait without its lock is allowed */
} generator;

static inline uint32_t generator_below(generator *g, uint32_t bound) {
    return random_below(&g->random, bound);
}

static inline bool generator_percent(generator *g, uint32_t percentage) {
    return generator_below(g, 100) < percentage;
}

static inline void generator_emit(generator *g, sketch_op op) {
    if (g->thread->count < SKETCH_OPS) {
        op.guard = op.guard ? op.guard : g->guard;
        g->thread->ops[g->thread->count++] = op;
    }
    g->budget -= g->budget > 0;
}

static inline uint8_t generator_some_variable(generator *g) {
    return (uint8_t)generator_below(g, g->variables);
}

/* An index, each as often as its weight says. */
uint32_t generator_draw(generator *, const uint8_t *weights, uint32_t count);

/* Small, and 0 often enough to meet the initial value. */
int8_t generator_some_value(generator *);

/* generator_loops.c: loops that look at variables, with or without a lock. */
void generator_add_loop(generator *);
void generator_add_polls(generator *);
void generator_add_either(generator *);
void generator_add_rounds(generator *);
void generator_add_backs_off(generator *);

/* An item of that sort, under the current guard. */
void generator_add(generator *, enum item);

/* One item, sometimes after a guard, which then is on all of its operations (see add_keeps). */
void generator_add_item(generator *);

#endif
