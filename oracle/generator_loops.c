#include "oracle/generator_items.h"

/* What may stand in a loop: mostly what changes nothing, or not always. */
static void add_round_item(generator *g) {
    static const uint8_t tries[] = {SKETCH_SEMAPHORE_TRY, SKETCH_SEMAPHORE_TRY, SKETCH_TRY_READ,
                                    SKETCH_TRY_WRITE};
    /* Only under memory models does an abstract program wait by them. */
    if (g->objects && g->kind->ordered && generator_percent(g, 50)) {
        generator_emit(g, (sketch_op){.kind = tries[generator_below(g, 4)],
                                      .cell = (uint8_t)generator_below(g, g->objects)});
        return;
    }
    uint32_t drawn = generator_below(g, 20);
    if (drawn < 11) {
        generator_add(g, ITEM_read);
    } else if (drawn < 14) {
        generator_add(g, ITEM_cas);
    } else if (drawn < 16) {
        generator_add(g, ITEM_exchange);
    } else if (drawn < 18 && g->mutexes) {
        generator_emit(g, (sketch_op){.kind = drawn < 17 ? SKETCH_TRYLOCK : SKETCH_TRY_SECTION,
                                      .cell = (uint8_t)generator_below(g, g->mutexes)});
    } else if (drawn < 19 && g->mutexes && !g->held) {
        uint8_t mutex = (uint8_t)generator_below(g, g->mutexes);
        generator_emit(g, (sketch_op){.kind = SKETCH_LOCK, .cell = mutex});
        generator_emit(g, (sketch_op){.kind = SKETCH_UNLOCK, .cell = mutex});
    } else {
        generator_emit(g, (sketch_op){.kind = SKETCH_ADD, .cell = generator_some_variable(g)});
    }
}

/* while (1) { …; if (v …) break; } */
void generator_add_loop(generator *g) {
    if (!g->language || g->depth > 1) {
        generator_add(g, ITEM_read);
        return;
    }
    uint8_t outer = g->guard;
    bool counted = generator_percent(g, 10);
    sketch_op end = {
        .kind = SKETCH_LOOP_END,
        .compare = (uint8_t)(generator_percent(g, 70) ? COMPARE_EQUAL : generator_below(g, 4)),
        .value = generator_percent(g, 70) ? 1 : generator_some_value(g),
        .counted = counted};
    g->guard = GUARD_NONE;
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP, .counted = counted});
    for (uint32_t n = 1 + generator_below(g, 2) + generator_below(g, 2); n > 0; n--) {
        g->guard = generator_percent(g, 15)   ? GUARD_SET
                   : generator_percent(g, 15) ? GUARD_CLEAR
                                              : GUARD_NONE;
        add_round_item(g);
        g->guard = GUARD_NONE;
    }
    generator_emit(g, end);
    g->guard = outer;
}

/* What is looked at in a round under a lock: mostly one variable. */
static void add_looks(generator *g) {
    for (uint32_t n = 1 + generator_percent(g, 20); n > 0; n--) {
        generator_add(g, ITEM_read);
    }
    if (generator_percent(g, 8)) {
        generator_add(g, ITEM_write);
    }
}

/* A round that takes a lock, or tries to, looks at something, and gives the lock back. */
static void add_poll_round(generator *g) {
    static const uint8_t takes[][2] = {
        {SKETCH_LOCK, SKETCH_UNLOCK},        {SKETCH_READ_LOCK, SKETCH_RELEASE},
        {SKETCH_WRITE_LOCK, SKETCH_RELEASE}, {SKETCH_SEMAPHORE_WAIT, SKETCH_POST},
        {SKETCH_TRYLOCK, SKETCH_UNLOCK},     {SKETCH_SEMAPHORE_TRY, SKETCH_POST},
    };
    uint32_t count = g->objects ? sizeof takes / sizeof *takes : 1;
    const uint8_t *kinds = takes[generator_below(g, count)];
    bool tries = kinds[0] == SKETCH_TRYLOCK || kinds[0] == SKETCH_SEMAPHORE_TRY;
    generator_emit(g, (sketch_op){.kind = kinds[0]});
    if (tries) {
        generator_emit(g, (sketch_op){.kind = SKETCH_IF, .compare = COMPARE_NOT_EQUAL});
    }
    add_looks(g);
    generator_emit(g, (sketch_op){.kind = kinds[1]});
    if (tries) {
        generator_emit(g, (sketch_op){.kind = SKETCH_IF_END});
    }
    if (generator_percent(g, 15)) {
        add_round_item(g);
    }
}

/* while (1) { lock; v = x; unlock; if (v …) break; } */
void generator_add_polls(generator *g) {
    if (!g->language || g->depth > 1 || g->held || g->thread->count + 12 > SKETCH_OPS) {
        generator_add(g, ITEM_read);
        return;
    }
    uint8_t outer = g->guard;
    g->guard = GUARD_NONE;
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP});
    add_poll_round(g);
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP_END,
                                  .compare = (uint8_t)(generator_percent(g, 70) ? COMPARE_EQUAL
                                                                                : COMPARE_GREATER),
                                  .value = generator_percent(g, 80) ? 1 : generator_some_value(g)});
    g->guard = outer;
}
