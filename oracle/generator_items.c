#include "oracle/generator_items.h"

int8_t generator_some_value(generator *g) {
    static const int8_t values[] = {0, 1, 1, 2};
    return values[generator_below(g, sizeof values)];
}

static uint8_t some_compare(generator *g) {
    return g->language && generator_percent(g, 60) ? (uint8_t)generator_below(g, 4)
                                                   : (uint8_t)COMPARE_EQUAL;
}

/* Sometimes an element of the array, which one depending on the last value. It has two elements and
 * values go up to two and beyond, so that the index is sometimes outside: an error. */
static void index_some(generator *g, sketch_op *op) {
    bool allowed = g->language && !(g->inside && g->straight);
    op->indexed = allowed && generator_percent(g, g->kind->indexed);
}

static void add_read(generator *g) {
    sketch_op op = {.kind = SKETCH_READ, .cell = generator_some_variable(g)};
    index_some(g, &op);
    generator_emit(g, op);
}

static void add_write(generator *g) {
    sketch_op op = {
        .kind = SKETCH_WRITE, .cell = generator_some_variable(g), .value = generator_some_value(g)};
    op.adds_last = g->language && generator_percent(g, 20);
    index_some(g, &op);
    generator_emit(g, op);
}

static void add_add(generator *g) {
    generator_emit(g,
                   (sketch_op){.kind = SKETCH_ADD, .cell = generator_some_variable(g), .value = 1});
}

static void add_exchange(generator *g) {
    if (!g->language) {
        add_add(g);
        return;
    }
    uint8_t cell = generator_some_variable(g);
    generator_emit(
        g, (sketch_op){.kind = SKETCH_EXCHANGE, .cell = cell, .value = generator_some_value(g)});
}

static void add_cas(generator *g) {
    sketch_op op = {
        .kind = SKETCH_CAS, .cell = generator_some_variable(g), .value = generator_some_value(g)};
    op.expected = g->language ? generator_some_value(g) : 0;
    generator_emit(g, op);
}

static void add_await(generator *g) {
    sketch_op op = {
        .kind = SKETCH_AWAIT, .cell = generator_some_variable(g), .value = generator_some_value(g)};
    op.compare = some_compare(g);
    op.kind = g->sketch->plain >> op.cell & 1 ? SKETCH_READ : op.kind; /* nobody waits for it */
    generator_emit(g, op);
}

static void add_fill(generator *g) {
    uint8_t range = (uint8_t)(generator_percent(g, 50) ? 0 : generator_below(g, SKETCH_RANGES));
    generator_emit(
        g, (sketch_op){.kind = SKETCH_FILL, .cell = range, .value = generator_some_value(g)});
}

static void add_copy(generator *g) {
    generator_emit(
        g, (sketch_op){.kind = SKETCH_COPY, .cell = (uint8_t)generator_below(g, SKETCH_COPIES)});
}

/* A single access to the block, mostly a read. */
static void add_spot(generator *g) {
    sketch_op op = {.kind = generator_percent(g, 75) ? SKETCH_READ : SKETCH_WRITE, .block = true};
    op.cell = (uint8_t)generator_below(g, SKETCH_SPOTS);
    op.value = op.kind == SKETCH_WRITE ? generator_some_value(g) : 0;
    generator_emit(g, op);
}

static uint8_t some_mutex(generator *g) {
    return (uint8_t)generator_below(g, g->mutexes);
}

/* Of a mutex or, if there are any, a condition. */
static void add_change(generator *g, uint8_t of_mutex, uint8_t of_condition) {
    bool condition = g->conditions && generator_percent(g, 50);
    uint8_t cell = condition ? (uint8_t)generator_below(g, g->conditions) : some_mutex(g);
    generator_emit(g, (sketch_op){.kind = condition ? of_condition : of_mutex, .cell = cell});
}

static void add_init(generator *g) {
    add_change(g, SKETCH_INIT, SKETCH_INIT_CONDITION);
}

static void add_destroy(generator *g) {
    add_change(g, SKETCH_DESTROY, SKETCH_DESTROY_CONDITION);
}

/* Destroyed, and soon initialised again. */
static void add_renew(generator *g) {
    add_destroy(g);
    sketch_op op = g->thread->ops[g->thread->count - 1];
    op.kind = op.kind == SKETCH_DESTROY ? SKETCH_INIT : SKETCH_INIT_CONDITION;
    generator_emit(g, op);
}

static void add_choose(generator *g) {
    generator_emit(
        g, (sketch_op){.kind = SKETCH_CHOOSE, .value = (int8_t)(2 + generator_percent(g, 25))});
}

/* A few items inside a section or a block. */
static void add_body(generator *g, uint32_t most) {
    g->depth++;
    for (uint32_t count = generator_below(g, most + 1); count > 0 && g->budget > 0; count--) {
        generator_add_item(g);
    }
    g->depth--;
}

static void add_unlock(generator *g, uint8_t mutex) {
    if (!generator_percent(g, g->kind->forgotten)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_UNLOCK, .cell = mutex});
    }
    g->held &= ~(1u << mutex);
}

/* lock … unlock. A mutex that is held already is locked again only now and then: a sure deadlock.
 */
static void add_section(generator *g) {
    uint8_t mutex = some_mutex(g);
    if ((g->held >> mutex & 1) && !generator_percent(g, 5)) {
        add_write(g);
        return;
    }
    generator_emit(g, (sketch_op){.kind = SKETCH_LOCK, .cell = mutex});
    g->held |= 1u << mutex;
    add_body(g, 3);
    add_unlock(g, mutex);
    if (g->misuse && generator_percent(g, 30)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_UNLOCK, .cell = mutex});
    }
}

static void add_tries(generator *g) {
    generator_emit(g, (sketch_op){.kind = SKETCH_TRY_SECTION, .cell = some_mutex(g)});
}

/* A trylock, and if it succeeded some operations and the unlock. All of them carry the guard: once
 * the last value is 0 nothing in the pattern runs, so that no unlock comes without its lock. */
static void add_keeps(generator *g) {
    if (g->guard != GUARD_NONE) {
        add_tries(g);
        return;
    }
    uint8_t mutex = some_mutex(g);
    generator_emit(g, (sketch_op){.kind = SKETCH_TRYLOCK, .cell = mutex});
    g->guard = GUARD_SET;
    add_body(g, 2);
    add_unlock(g, mutex);
    g->guard = GUARD_NONE;
}

/* A wait inside the section that surrounds it, or in one of its own. */
static void add_some_wait(generator *g, uint8_t kind) {
    sketch_op op = {.kind = kind, .cell = (uint8_t)generator_below(g, g->conditions)};
    op.mutex = some_mutex(g);
    bool inside = (g->held >> op.mutex & 1) || (g->misuse && generator_percent(g, 30));
    if (!inside) {
        generator_emit(g, (sketch_op){.kind = SKETCH_LOCK, .cell = op.mutex});
        g->held |= 1u << op.mutex;
    }
    generator_emit(g, op);
    if (!inside) {
        add_body(g, 1);
        add_unlock(g, op.mutex);
    }
}

static void add_wait(generator *g) {
    add_some_wait(g, SKETCH_WAIT);
}

static void add_timed_wait(generator *g) {
    add_some_wait(g, SKETCH_TIMED_WAIT);
}

static void add_signal(generator *g) {
    generator_emit(
        g, (sketch_op){.kind = SKETCH_SIGNAL, .cell = (uint8_t)generator_below(g, g->conditions)});
}

static void add_broadcast(generator *g) {
    generator_emit(g, (sketch_op){.kind = SKETCH_BROADCAST,
                                  .cell = (uint8_t)generator_below(g, g->conditions)});
}

/* Right after something that gives a value, or it would mostly be idle. */
static void add_assume(generator *g) {
    if (generator_percent(g, 80)) {
        add_read(g);
    }
    generator_emit(g, (sketch_op){.kind = SKETCH_ASSUME});
}

static void add_assertion(generator *g) {
    if (!g->language) {
        add_read(g);
        return;
    }
    sketch_op op = {.kind = SKETCH_ASSERT, .compare = (uint8_t)generator_below(g, 4)};
    op.value = generator_some_value(g);
    generator_emit(g, op);
}

/* A section of which the accesses depend on nothing, or one with branches and compare-and-swaps in
 * it: strategies tell the two apart, and programs are of one sort or the other. */
static void add_section_access(generator *g) {
    static void (*const accesses[])(generator *) = {add_read, add_read, add_write,   add_write,
                                                    add_add,  add_cas,  add_exchange};
    static void (*const plain[])(generator *) = {add_read, add_read, add_write, add_write, add_add};
    static void (*const wide[])(generator *) = {add_fill, add_copy, add_spot, add_read};
    if (!g->straight && generator_percent(g, g->kind->chosen)) {
        add_choose(g);
        return;
    }
    if (!g->straight && generator_percent(g, 4)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_ASSUME});
        return;
    }
    if (g->kind->weights[ITEM_fill] && generator_percent(g, 60)) {
        wide[generator_below(g, sizeof wide / sizeof *wide)](g);
        return;
    }
    if (g->straight) {
        plain[generator_below(g, sizeof plain / sizeof *plain)](g);
        return;
    }
    g->guard = generator_percent(g, 25) ? (uint8_t)(GUARD_SET + generator_below(g, 2))
                                        : (uint8_t)GUARD_NONE;
    accesses[generator_below(g, sizeof accesses / sizeof *accesses)](g);
}

static void add_atomic(generator *g) {
    generator_emit(g, (sketch_op){.kind = SKETCH_ATOMIC});
    uint8_t outer = g->guard;
    g->guard = GUARD_NONE;
    g->inside = true;
    for (uint32_t count = 2 + generator_below(g, 2); count > 0; count--) {
        add_section_access(g);
    }
    g->guard = GUARD_NONE;
    g->inside = false;
    generator_emit(g, (sketch_op){.kind = SKETCH_ATOMIC_END});
    g->guard = outer;
}

static void add_join(generator *g) {
    uint8_t other = (uint8_t)generator_below(g, g->sketch->thread_count);
    if (other != g->number || generator_percent(g, 5)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_JOIN, .cell = other});
    }
}

/* if … else …. Each side leaves the mutexes as it found them. */
static void add_conditional(generator *g) {
    if (!g->language || g->depth > 1) {
        add_read(g);
        return;
    }
    sketch_op op = {.kind = SKETCH_IF,
                    .compare = (uint8_t)generator_below(g, 4),
                    .value = generator_some_value(g)};
    uint8_t outer = g->guard;
    add_read(g);
    g->guard = GUARD_NONE;
    generator_emit(g, op);
    add_body(g, 2);
    if (generator_percent(g, 60)) {
        generator_emit(g, (sketch_op){.kind = SKETCH_ELSE});
        add_body(g, 2);
    }
    generator_emit(g, (sketch_op){.kind = SKETCH_IF_END});
    g->guard = outer;
}

static void add_loop(generator *g) {
    generator_add_loop(g);
}

static void add_polls(generator *g) {
    generator_add_polls(g);
}

static void add_either(generator *g) {
    generator_add_either(g);
}

static void add_rounds(generator *g) {
    generator_add_rounds(g);
}

static void add_backs_off(generator *g) {
    generator_add_backs_off(g);
}

/* Mostly to the one thread that most receives belong to. */
static void add_send(generator *g) {
    bool any = generator_percent(g, 25);
    uint8_t to = (uint8_t)(any ? generator_below(g, g->sketch->thread_count) : g->receiver);
    sketch_op op = {
        .kind = SKETCH_SEND, .cell = to, .value = (int8_t)(1 + generator_below(g, SKETCH_TAGS))};
    op.adds_last = g->language && generator_percent(g, 50);
    generator_emit(g, op);
}

static void add_some_receive(generator *g, uint8_t kind) {
    if (g->number != g->receiver && !generator_percent(g, 30)) {
        add_send(g);
        return;
    }
    sketch_op op = {.kind = kind, .adds_last = g->language && generator_percent(g, 30)};
    if (generator_percent(g, 65)) {
        op.value = (int8_t)(1 << generator_below(g, SKETCH_TAGS));
        op.value |= (int8_t)(generator_percent(g, 25) ? 1 << generator_below(g, SKETCH_TAGS) : 0);
    }
    generator_emit(g, op);
}

static void add_receive(generator *g) {
    add_some_receive(g, SKETCH_RECEIVE);
}

static void add_poll(generator *g) {
    add_some_receive(g, SKETCH_POLL);
}

static uint8_t some_object(generator *g) {
    return (uint8_t)generator_below(g, g->objects);
}

static void emit_object(generator *g, uint8_t kind) {
    generator_emit(g, (sketch_op){.kind = kind, .cell = some_object(g)});
}

/* Mostly the post follows, as if it were a lock; sometimes it is somebody else's. */
static void add_semaphore(generator *g) {
    sketch_op op = {.kind = SKETCH_SEMAPHORE_WAIT, .cell = some_object(g)};
    generator_emit(g, op);
    if (generator_percent(g, 40)) {
        add_body(g, 1);
        op.kind = SKETCH_POST;
        generator_emit(g, op);
    }
}

static void add_posts(generator *g) {
    emit_object(g, SKETCH_POST);
}

static void add_tries_down(generator *g) {
    emit_object(g, SKETCH_SEMAPHORE_TRY);
}

/* lock … unlock of a read-write lock. */
static void add_rwlock(generator *g, uint8_t kind) {
    sketch_op op = {.kind = kind, .cell = some_object(g)};
    if (g->depth > 2) {
        add_write(g);
        return;
    }
    generator_emit(g, op);
    add_body(g, 2);
    op.kind = SKETCH_RELEASE;
    if (!generator_percent(g, g->kind->forgotten)) {
        generator_emit(g, op);
    }
    if (g->misuse && generator_percent(g, 30)) {
        generator_emit(g, op);
    }
}

/* wait … post of a semaphore, as if it were a lock. */
static void add_unit(generator *g) {
    sketch_op op = {.kind = SKETCH_SEMAPHORE_WAIT, .cell = some_object(g)};
    generator_emit(g, op);
    add_body(g, 2);
    op.kind = SKETCH_POST;
    generator_emit(g, op);
}

static void add_reading(generator *g) {
    add_rwlock(g, SKETCH_READ_LOCK);
}

static void add_writing(generator *g) {
    add_rwlock(g, SKETCH_WRITE_LOCK);
}

static void add_tries_read(generator *g) {
    emit_object(g, SKETCH_TRY_READ);
}

static void add_tries_write(generator *g) {
    emit_object(g, SKETCH_TRY_WRITE);
}

static void add_barrier(generator *g) {
    emit_object(g, SKETCH_BARRIER);
}

static void add_fence(generator *g) {
    generator_emit(g, (sketch_op){.kind = SKETCH_FENCE});
}

static void add_once(generator *g) {
    sketch_op op = {.kind = SKETCH_ONCE, .cell = some_object(g), .value = -1};
    op.value = generator_percent(g, 60) ? (int8_t)generator_some_variable(g) : -1;
    generator_emit(g, op);
}

static void (*const items[])(generator *) = {
#define ITEM_FUNCTION(name) add_##name,
    ITEMS(ITEM_FUNCTION)
#undef ITEM_FUNCTION
};

void generator_add(generator *g, enum item item) {
    items[item](g);
}

uint32_t generator_draw(generator *g, const uint8_t *weights, uint32_t count) {
    uint32_t sum = 0, i = 0;
    for (uint32_t k = 0; k < count; k++) {
        sum += weights[k];
    }
    uint32_t at = generator_below(g, sum);
    while (at >= weights[i]) {
        at -= weights[i++];
    }
    return i;
}

void generator_add_item(generator *g) {
    uint8_t outer = g->guard;
    uint32_t item = generator_draw(g, g->kind->weights, ITEM_COUNT);
    if (g->depth > 2 && (item == ITEM_section || item == ITEM_keeps)) {
        item = ITEM_write;
    }
    if (outer == GUARD_NONE && generator_percent(g, g->kind->guarded)) {
        g->guard = (uint8_t)(GUARD_SET + generator_below(g, 2));
    }
    items[item](g);
    g->guard = outer;
}
