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

/* while (1) { v = x; if (!v) { v = y; } if (v) break; }: of several reads each can end it. */
void generator_add_either(generator *g) {
    if (!g->language || g->depth > 1) {
        generator_add(g, ITEM_read);
        return;
    }
    uint8_t outer = g->guard;
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP});
    for (uint32_t i = 0, n = 2 + generator_percent(g, 25); i < n; i++) {
        g->guard = i ? GUARD_CLEAR : GUARD_NONE;
        generator_add(g, ITEM_read);
    }
    g->guard = GUARD_NONE;
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP_END, .compare = COMPARE_NOT_EQUAL});
    g->guard = outer;
}

/* ---- loops with atomic sections ---- */

/* What a section of a round looks at, and perhaps takes, changes or chooses; mostly only in the
 * last round, after which the last value is what ends the loop. */
static void add_section_of_round(generator *g, int8_t wanted) {
    static const enum item firsts[2][5] = {
        {ITEM_read, ITEM_read, ITEM_read, ITEM_exchange, ITEM_exchange},
        {ITEM_read, ITEM_read, ITEM_read, ITEM_cas, ITEM_cas}};
    uint8_t last = wanted ? GUARD_SET : GUARD_CLEAR, other = wanted ? GUARD_CLEAR : GUARD_SET;
    generator_emit(g, (sketch_op){.kind = SKETCH_ATOMIC});
    g->inside = true;
    generator_add(g, firsts[wanted != 0][generator_below(g, 5)]);
    for (uint32_t n = generator_below(g, 3); n > 0; n--) {
        uint32_t drawn = generator_below(g, 100);
        g->guard = generator_percent(g, 92) ? last : other;
        if (drawn < 2) {
            generator_emit(g, (sketch_op){.kind = SKETCH_CHOOSE, .value = 2});
        } else if (drawn < 4) {
            generator_emit(g, (sketch_op){.kind = SKETCH_ASSUME});
        } else if (drawn < 50) {
            g->guard = generator_percent(g, 50) ? last : other;
            generator_add(g, ITEM_read);
        } else {
            generator_add(g, drawn < 95 ? ITEM_write : ITEM_cas);
        }
        g->guard = GUARD_NONE;
    }
    g->inside = false;
    generator_emit(g, (sketch_op){.kind = SKETCH_ATOMIC_END});
}

/* while (1) { atomic { … } if (v …) break; }, perhaps with more in the round. */
void generator_add_rounds(generator *g) {
    if (!g->language || g->depth || g->thread->count + 16 > SKETCH_OPS) {
        generator_add(g, ITEM_read);
        return;
    }
    uint8_t outer = g->guard;
    sketch_op end = {
        .kind = SKETCH_LOOP_END,
        .compare = (uint8_t)(generator_percent(g, 80) ? COMPARE_EQUAL : generator_below(g, 4)),
        .value =
            generator_percent(g, 80) ? (int8_t)generator_below(g, 2) : generator_some_value(g)};
    g->guard = GUARD_NONE;
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP});
    if (generator_percent(g, 12)) {
        add_round_item(g);
    }
    add_section_of_round(g, end.value);
    if (generator_percent(g, 10)) {
        add_section_of_round(g, end.value);
    } else if (generator_percent(g, 10)) {
        add_round_item(g);
    }
    g->guard = GUARD_NONE;
    generator_emit(g, end);
    g->guard = outer;
}

/* ---- loops that back off ---- */

/* Something that is held: a mutex, a unit of a semaphore, a read-write lock. */
typedef struct lock_kind {
    uint8_t take, try, give; /* 0: it cannot be tried */
    uint8_t cell;
} lock_kind;

/* Different ones, in any order; of other kinds than mutexes at most one. */
static uint32_t draw_locks(generator *g, lock_kind *locks) {
    static const lock_kind others[] = {
        {SKETCH_SEMAPHORE_WAIT, SKETCH_SEMAPHORE_TRY, SKETCH_POST, 0},
        {SKETCH_READ_LOCK, 0, SKETCH_RELEASE, 0},
        {SKETCH_WRITE_LOCK, 0, SKETCH_RELEASE, 0},
    };
    uint32_t count = g->mutexes > 2 && generator_percent(g, 25) ? 3 : 2;
    uint32_t first = generator_below(g, g->mutexes), step = 1;
    step += g->mutexes > 2 && generator_percent(g, 50);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t cell = (uint8_t)((first + i * step) % g->mutexes);
        locks[i] = (lock_kind){SKETCH_LOCK, SKETCH_TRYLOCK, SKETCH_UNLOCK, cell};
    }
    if (g->objects && generator_percent(g, 20)) {
        locks[0] = others[generator_below(g, 3)];
    } else if (g->objects && generator_percent(g, 8)) {
        locks[1] = others[0];
    }
    return count;
}

static void emit_take(generator *g, const lock_kind *l) {
    generator_emit(g, (sketch_op){.kind = l->take, .cell = l->cell});
}

static void emit_try(generator *g, const lock_kind *l) {
    generator_emit(g, (sketch_op){.kind = l->try, .cell = l->cell});
}

static void emit_give(generator *g, const lock_kind *l) {
    generator_emit(g, (sketch_op){.kind = l->give, .cell = l->cell});
}

/* if (v == value) */
static void emit_if(generator *g, int8_t value) {
    generator_emit(g, (sketch_op){.kind = SKETCH_IF, .compare = COMPARE_EQUAL, .value = value});
}

static void emit_end(generator *g) {
    generator_emit(g, (sketch_op){.kind = SKETCH_IF_END});
}

/* What a failure leaves behind, now and then. */
static void add_trace_of_failure(generator *g) {
    if (generator_percent(g, 4)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_WRITE,
                                      .cell = generator_some_variable(g),
                                      .value = generator_some_value(g)});
    }
}

/* The others are tried while the first is held; all are given back if one cannot be had. */
static void add_tries_of_others(generator *g, const lock_kind *locks, uint32_t count) {
    if (generator_percent(g, 10)) {
        generator_add(g, ITEM_read);
    }
    emit_try(g, &locks[1]);
    if (count > 2) {
        emit_if(g, 1);
        emit_try(g, &locks[2]);
        emit_if(g, 0);
        emit_give(g, &locks[1]);
        emit_end(g);
        emit_end(g);
    }
}

/* lock a; while (!trylock(b)) { unlock a; lock a; } */
static void add_inner_head(generator *g, const lock_kind *locks) {
    emit_take(g, &locks[0]);
    if (generator_percent(g, 15)) {
        generator_add(g, ITEM_read);
    }
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP});
    emit_try(g, &locks[1]);
    emit_if(g, 0);
    add_trace_of_failure(g);
    emit_give(g, &locks[0]);
    emit_take(g, &locks[0]);
    emit_end(g);
}

/* while (1) { lock a; if (trylock(b)) break; unlock a; }, perhaps then in the other order. */
static void add_round_of_tries(generator *g, const lock_kind *locks, uint32_t count) {
    bool tries = locks[0].try && generator_percent(g, 15);
    generator_emit(g, (sketch_op){.kind = SKETCH_LOOP});
    if (tries) {
        emit_try(g, &locks[0]);
        emit_if(g, 1);
    } else {
        emit_take(g, &locks[0]);
    }
    add_tries_of_others(g, locks, count);
    emit_if(g, 0);
    add_trace_of_failure(g);
    emit_give(g, &locks[0]);
    if (!tries && count == 2 && locks[0].try && generator_percent(g, 8)) {
        emit_take(g, &locks[1]);
        emit_try(g, &locks[0]);
        emit_if(g, 0);
        emit_give(g, &locks[1]);
        emit_end(g);
    }
    emit_end(g);
    if (tries) {
        emit_end(g);
    }
}

/* Takes several locks, by backing off or, now and then, one after the other; then gives them back.
 */
void generator_add_backs_off(generator *g) {
    lock_kind locks[3];
    if (!g->language || g->depth || g->held || g->mutexes < 2 ||
        g->thread->count + 22 > SKETCH_OPS) {
        generator_add(g, ITEM_write);
        return;
    }
    uint8_t outer = g->guard;
    g->guard = GUARD_NONE;
    uint32_t count = draw_locks(g, locks);
    uint32_t drawn = generator_below(g, 100);
    if (drawn < 20) {
        for (uint32_t i = 0; i < count; i++) {
            emit_take(g, &locks[i]);
        }
    } else if (drawn < 40) {
        count = 2;
        add_inner_head(g, locks);
    } else {
        add_round_of_tries(g, locks, count);
    }
    if (drawn >= 20) {
        generator_emit(g,
                       (sketch_op){.kind = SKETCH_LOOP_END, .compare = COMPARE_EQUAL, .value = 1});
    }
    generator_add(g, generator_percent(g, 70) ? ITEM_write : ITEM_add);
    for (uint32_t i = count; i-- > 0;) {
        if (!generator_percent(g, g->kind->forgotten)) {
            emit_give(g, &locks[i]);
        }
    }
    g->guard = outer;
}
