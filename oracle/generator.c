#include "oracle/generator.h"

#include "base/check.h"
#include "base/random.h"
#include "oracle/hash.h"
#include "oracle/kinds.h"

uint32_t generator_kind_count(void) {
    return generator_kinds_count;
}

const char *generator_kind_name(uint32_t kind) {
    CHECK(kind < generator_kinds_count);
    return generator_kinds[kind].name;
}

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

static uint32_t below(generator *g, uint32_t bound) {
    return random_below(&g->random, bound);
}

static bool percent(generator *g, uint32_t percentage) {
    return below(g, 100) < percentage;
}

static void emit(generator *g, sketch_op op) {
    if (g->thread->count < SKETCH_OPS) {
        op.guard = op.guard ? op.guard : g->guard;
        g->thread->ops[g->thread->count++] = op;
    }
    g->budget -= g->budget > 0;
}

/* Small, and 0 often enough to meet the initial value. */
static int8_t some_value(generator *g) {
    static const int8_t values[] = {0, 1, 1, 2};
    return values[below(g, sizeof values)];
}

static uint8_t some_variable(generator *g) {
    return (uint8_t)below(g, g->variables);
}

static uint8_t some_compare(generator *g) {
    return g->language && percent(g, 60) ? (uint8_t)below(g, 4) : (uint8_t)COMPARE_EQUAL;
}

static void add_item(generator *g);

/* Sometimes an element of the array, which one depending on the last value. It has two elements and
 * values go up to two and beyond, so that the index is sometimes outside: an error. */
static void index_some(generator *g, sketch_op *op) {
    bool allowed = g->language && !(g->inside && g->straight);
    op->indexed = allowed && percent(g, g->kind->indexed);
}

static void add_read(generator *g) {
    sketch_op op = {.kind = SKETCH_READ, .cell = some_variable(g)};
    index_some(g, &op);
    emit(g, op);
}

static void add_write(generator *g) {
    sketch_op op = {.kind = SKETCH_WRITE, .cell = some_variable(g), .value = some_value(g)};
    op.adds_last = g->language && percent(g, 20);
    index_some(g, &op);
    emit(g, op);
}

static void add_add(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_ADD, .cell = some_variable(g), .value = 1});
}

static void add_exchange(generator *g) {
    if (!g->language) {
        add_add(g);
        return;
    }
    uint8_t cell = some_variable(g);
    emit(g, (sketch_op){.kind = SKETCH_EXCHANGE, .cell = cell, .value = some_value(g)});
}

static void add_cas(generator *g) {
    sketch_op op = {.kind = SKETCH_CAS, .cell = some_variable(g), .value = some_value(g)};
    op.expected = g->language ? some_value(g) : 0;
    emit(g, op);
}

static void add_await(generator *g) {
    sketch_op op = {.kind = SKETCH_AWAIT, .cell = some_variable(g), .value = some_value(g)};
    op.compare = some_compare(g);
    op.kind = g->sketch->plain >> op.cell & 1 ? SKETCH_READ : op.kind; /* nobody waits for it */
    emit(g, op);
}

static void add_fill(generator *g) {
    uint8_t range = (uint8_t)(percent(g, 50) ? 0 : below(g, SKETCH_RANGES));
    emit(g, (sketch_op){.kind = SKETCH_FILL, .cell = range, .value = some_value(g)});
}

static void add_copy(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_COPY, .cell = (uint8_t)below(g, SKETCH_COPIES)});
}

/* A single access to the block, mostly a read. */
static void add_spot(generator *g) {
    sketch_op op = {.kind = percent(g, 75) ? SKETCH_READ : SKETCH_WRITE, .block = true};
    op.cell = (uint8_t)below(g, SKETCH_SPOTS);
    op.value = op.kind == SKETCH_WRITE ? some_value(g) : 0;
    emit(g, op);
}

static uint8_t some_mutex(generator *g) {
    return (uint8_t)below(g, g->mutexes);
}

/* Of a mutex or, if there are any, a condition. */
static void add_change(generator *g, uint8_t of_mutex, uint8_t of_condition) {
    bool condition = g->conditions && percent(g, 50);
    uint8_t cell = condition ? (uint8_t)below(g, g->conditions) : some_mutex(g);
    emit(g, (sketch_op){.kind = condition ? of_condition : of_mutex, .cell = cell});
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
    emit(g, op);
}

static void add_choose(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_CHOOSE, .value = (int8_t)(2 + percent(g, 25))});
}

/* A few items inside a section or a block. */
static void add_body(generator *g, uint32_t most) {
    g->depth++;
    for (uint32_t count = below(g, most + 1); count > 0 && g->budget > 0; count--) {
        add_item(g);
    }
    g->depth--;
}

static void add_unlock(generator *g, uint8_t mutex) {
    if (!percent(g, g->kind->forgotten)) {
        emit(g, (sketch_op){.kind = SKETCH_UNLOCK, .cell = mutex});
    }
    g->held &= ~(1u << mutex);
}

/* lock … unlock. A mutex that is held already is locked again only now and then: a sure deadlock.
 */
static void add_section(generator *g) {
    uint8_t mutex = some_mutex(g);
    if ((g->held >> mutex & 1) && !percent(g, 5)) {
        add_write(g);
        return;
    }
    emit(g, (sketch_op){.kind = SKETCH_LOCK, .cell = mutex});
    g->held |= 1u << mutex;
    add_body(g, 3);
    add_unlock(g, mutex);
    if (g->misuse && percent(g, 30)) {
        emit(g, (sketch_op){.kind = SKETCH_UNLOCK, .cell = mutex});
    }
}

static void add_tries(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_TRY_SECTION, .cell = some_mutex(g)});
}

/* A trylock, and if it succeeded some operations and the unlock. All of them carry the guard: once
 * the last value is 0 nothing in the pattern runs, so that no unlock comes without its lock. */
static void add_keeps(generator *g) {
    if (g->guard != GUARD_NONE) {
        add_tries(g);
        return;
    }
    uint8_t mutex = some_mutex(g);
    emit(g, (sketch_op){.kind = SKETCH_TRYLOCK, .cell = mutex});
    g->guard = GUARD_SET;
    add_body(g, 2);
    add_unlock(g, mutex);
    g->guard = GUARD_NONE;
}

/* A wait inside the section that surrounds it, or in one of its own. */
static void add_some_wait(generator *g, uint8_t kind) {
    sketch_op op = {.kind = kind, .cell = (uint8_t)below(g, g->conditions)};
    op.mutex = some_mutex(g);
    bool inside = (g->held >> op.mutex & 1) || (g->misuse && percent(g, 30));
    if (!inside) {
        emit(g, (sketch_op){.kind = SKETCH_LOCK, .cell = op.mutex});
        g->held |= 1u << op.mutex;
    }
    emit(g, op);
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
    emit(g, (sketch_op){.kind = SKETCH_SIGNAL, .cell = (uint8_t)below(g, g->conditions)});
}

static void add_broadcast(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_BROADCAST, .cell = (uint8_t)below(g, g->conditions)});
}

/* Right after something that gives a value, or it would mostly be idle. */
static void add_assume(generator *g) {
    if (percent(g, 80)) {
        add_read(g);
    }
    emit(g, (sketch_op){.kind = SKETCH_ASSUME});
}

static void add_assertion(generator *g) {
    if (!g->language) {
        add_read(g);
        return;
    }
    sketch_op op = {.kind = SKETCH_ASSERT, .compare = (uint8_t)below(g, 4)};
    op.value = some_value(g);
    emit(g, op);
}

/* A section of which the accesses depend on nothing, or one with branches and compare-and-swaps in
 * it: strategies tell the two apart, and programs are of one sort or the other. */
static void add_section_access(generator *g) {
    static void (*const accesses[])(generator *) = {add_read, add_read, add_write,   add_write,
                                                    add_add,  add_cas,  add_exchange};
    static void (*const plain[])(generator *) = {add_read, add_read, add_write, add_write, add_add};
    static void (*const wide[])(generator *) = {add_fill, add_copy, add_spot, add_read};
    if (!g->straight && percent(g, g->kind->chosen)) {
        add_choose(g);
        return;
    }
    if (!g->straight && percent(g, 4)) {
        emit(g, (sketch_op){.kind = SKETCH_ASSUME});
        return;
    }
    if (g->kind->weights[ITEM_fill] && percent(g, 60)) {
        wide[below(g, sizeof wide / sizeof *wide)](g);
        return;
    }
    if (g->straight) {
        plain[below(g, sizeof plain / sizeof *plain)](g);
        return;
    }
    g->guard = percent(g, 25) ? (uint8_t)(GUARD_SET + below(g, 2)) : (uint8_t)GUARD_NONE;
    accesses[below(g, sizeof accesses / sizeof *accesses)](g);
}

static void add_atomic(generator *g) {
    emit(g, (sketch_op){.kind = SKETCH_ATOMIC});
    uint8_t outer = g->guard;
    g->guard = GUARD_NONE;
    g->inside = true;
    for (uint32_t count = 2 + below(g, 2); count > 0; count--) {
        add_section_access(g);
    }
    g->guard = GUARD_NONE;
    g->inside = false;
    emit(g, (sketch_op){.kind = SKETCH_ATOMIC_END});
    g->guard = outer;
}

static void add_join(generator *g) {
    uint8_t other = (uint8_t)below(g, g->sketch->thread_count);
    if (other != g->number || percent(g, 5)) {
        emit(g, (sketch_op){.kind = SKETCH_JOIN, .cell = other});
    }
}

/* if … else …. Each side leaves the mutexes as it found them. */
static void add_conditional(generator *g) {
    if (!g->language || g->depth > 1) {
        add_read(g);
        return;
    }
    sketch_op op = {.kind = SKETCH_IF, .compare = (uint8_t)below(g, 4), .value = some_value(g)};
    uint8_t outer = g->guard;
    add_read(g);
    g->guard = GUARD_NONE;
    emit(g, op);
    add_body(g, 2);
    if (percent(g, 60)) {
        emit(g, (sketch_op){.kind = SKETCH_ELSE});
        add_body(g, 2);
    }
    emit(g, (sketch_op){.kind = SKETCH_IF_END});
    g->guard = outer;
}

/* Mostly to the one thread that most receives belong to. */
static void add_send(generator *g) {
    bool any = percent(g, 25);
    uint8_t to = (uint8_t)(any ? below(g, g->sketch->thread_count) : g->receiver);
    sketch_op op = {.kind = SKETCH_SEND, .cell = to, .value = (int8_t)(1 + below(g, SKETCH_TAGS))};
    op.adds_last = g->language && percent(g, 50);
    emit(g, op);
}

static void add_some_receive(generator *g, uint8_t kind) {
    if (g->number != g->receiver && !percent(g, 30)) {
        add_send(g);
        return;
    }
    sketch_op op = {.kind = kind, .adds_last = g->language && percent(g, 30)};
    if (percent(g, 65)) {
        op.value = (int8_t)(1 << below(g, SKETCH_TAGS));
        op.value |= (int8_t)(percent(g, 25) ? 1 << below(g, SKETCH_TAGS) : 0);
    }
    emit(g, op);
}

static void add_receive(generator *g) {
    add_some_receive(g, SKETCH_RECEIVE);
}

static void add_poll(generator *g) {
    add_some_receive(g, SKETCH_POLL);
}

static uint8_t some_object(generator *g) {
    return (uint8_t)below(g, g->objects);
}

static void emit_object(generator *g, uint8_t kind) {
    emit(g, (sketch_op){.kind = kind, .cell = some_object(g)});
}

/* Mostly the post follows, as if it were a lock; sometimes it is somebody else's. */
static void add_semaphore(generator *g) {
    sketch_op op = {.kind = SKETCH_SEMAPHORE_WAIT, .cell = some_object(g)};
    emit(g, op);
    if (percent(g, 40)) {
        add_body(g, 1);
        op.kind = SKETCH_POST;
        emit(g, op);
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
    emit(g, op);
    add_body(g, 2);
    op.kind = SKETCH_RELEASE;
    if (!percent(g, g->kind->forgotten)) {
        emit(g, op);
    }
    if (g->misuse && percent(g, 30)) {
        emit(g, op);
    }
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

static void add_once(generator *g) {
    sketch_op op = {.kind = SKETCH_ONCE, .cell = some_object(g), .value = -1};
    op.value = percent(g, 60) ? (int8_t)some_variable(g) : -1;
    emit(g, op);
}

static void (*const items[])(generator *) = {
#define ITEM_FUNCTION(name) add_##name,
    ITEMS(ITEM_FUNCTION)
#undef ITEM_FUNCTION
};

static uint32_t draw(generator *g, const uint8_t *weights, uint32_t count) {
    uint32_t sum = 0, i = 0;
    for (uint32_t k = 0; k < count; k++) {
        sum += weights[k];
    }
    uint32_t at = below(g, sum);
    while (at >= weights[i]) {
        at -= weights[i++];
    }
    return i;
}

/* One item, sometimes after a guard, which then is on all of its operations (see add_keeps). */
static void add_item(generator *g) {
    uint8_t outer = g->guard;
    uint32_t item = draw(g, g->kind->weights, ITEM_COUNT);
    if (g->depth > 2 && (item == ITEM_section || item == ITEM_keeps)) {
        item = ITEM_write;
    }
    if (outer == GUARD_NONE && percent(g, g->kind->guarded)) {
        g->guard = (uint8_t)(GUARD_SET + below(g, 2));
    }
    items[item](g);
    g->guard = outer;
}

/* Every spawned thread has one spawner, of a smaller number, at a random place of its code. */
static void insert_spawn(generator *g, uint8_t child) {
    sketch_thread *t = &g->sketch->threads[below(g, child)];
    uint32_t at = below(g, t->count + 1u);
    if (t->count == SKETCH_OPS) {
        return;
    }
    for (uint32_t i = 0; i < at; i++) { /* never inside an atomic section */
        if (t->ops[i].kind == SKETCH_ATOMIC && sketch_closing(t, i) >= at) {
            at = i;
        }
    }
    for (uint32_t i = t->count; i > at; i--) {
        t->ops[i] = t->ops[i - 1];
    }
    t->ops[at] = (sketch_op){.kind = SKETCH_SPAWN, .cell = child};
    t->ops[at].guard = percent(g, 10) ? GUARD_SET : GUARD_NONE;
    t->count++;
}

/* Reads every variable once, in some order. */
static void add_readings(generator *g) {
    for (uint32_t unread = (1u << g->variables) - 1; unread;) {
        uint8_t variable = some_variable(g);
        if (unread >> variable & 1) {
            emit(g, (sketch_op){.kind = SKETCH_READ, .cell = variable});
            unread &= ~(1u << variable);
        }
    }
}

static void fill_thread(generator *g, uint32_t number, uint32_t budget) {
    g->thread = &g->sketch->threads[number];
    g->number = number;
    g->budget = budget;
    g->depth = g->held = 0;
    g->guard = GUARD_NONE;
    g->thread->spawned = number > 0 && percent(g, g->kind->spawned);
    if (percent(g, 3)) {
        return; /* a thread without a step */
    }
    if (g->kind->writers && percent(g, 70)) {
        add_readings(g);
        return;
    }
    while (g->budget > 0) {
        add_item(g);
    }
}

/* A thread that writes one variable once, in place `number`, which is made free. */
static void insert_writer(generator *g, uint32_t number, uint8_t variable) {
    for (uint32_t t = g->sketch->thread_count; t > number; t--) {
        g->sketch->threads[t] = g->sketch->threads[t - 1];
    }
    g->sketch->thread_count++;
    g->sketch->threads[number] = (sketch_thread){.count = 1};
    g->sketch->threads[number].ops[0] =
        (sketch_op){.kind = SKETCH_WRITE, .cell = variable, .value = 1};
}

/* All of them, or one less: with fewer objects there are more conflicts. */
static uint32_t some_of(generator *g, uint32_t most) {
    return most > 1 && percent(g, 50) ? most - 1 : most;
}

static void fill(generator *g) {
    const generator_kind *k = g->kind;
    g->variables = some_of(g, k->variables);
    g->mutexes = some_of(g, k->mutexes);
    g->conditions = some_of(g, k->conditions);
    g->objects = some_of(g, k->objects);
    uint32_t threads = k->threads_least + below(g, k->threads_most - k->threads_least + 1u);
    uint32_t ops = k->ops_least + below(g, k->ops_most - k->ops_least + 1u);
    ops = ops * g->size / 100;
    *g->sketch = (sketch){.thread_count = (uint8_t)threads};
    g->sketch->semaphore_value = (uint8_t)(k->objects ? below(g, 3) : 0);
    g->sketch->barrier_size = (uint8_t)(k->objects ? 2 + below(g, 2) : 2);
    for (uint32_t bit = 0; k->plain && bit < 8; bit++) {
        g->sketch->plain |= (uint8_t)(percent(g, k->plain) << bit);
    }
    g->receiver = below(g, threads);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t left = threads - t;
        uint32_t share = (ops + left - 1) / left;
        uint32_t budget = t + 1 == threads ? ops : share + below(g, 3);
        budget = budget < 2 ? 1 + below(g, 2) : budget - 1 + below(g, 2);
        fill_thread(g, t, budget);
        ops -= budget < ops ? budget : ops;
    }
    for (uint32_t t = 1; t < threads; t++) {
        if (g->sketch->threads[t].spawned) {
            insert_spawn(g, (uint8_t)t);
        }
    }
    for (uint32_t v = 0; k->writers && v < g->variables; v++) {
        insert_writer(g, below(g, g->sketch->thread_count + 1u), (uint8_t)v);
    }
}

static uint32_t draw_kind(generator *g) {
    uint8_t shares[KINDS_MOST] = {0};
    CHECK(generator_kinds_count <= KINDS_MOST);
    for (uint32_t i = 0; i < generator_kinds_count; i++) {
        shares[i] = generator_kinds[i].share;
    }
    return draw(g, shares, generator_kinds_count);
}

uint32_t generator_program(const generator_request *request, uint64_t index, sketch *s) {
    generator g = {.random = {hash_mix(hash_mix(request->seed) + index)}, .sketch = s};
    bool any = request->kind == GENERATOR_ANY_KIND;
    uint32_t kind = any ? draw_kind(&g) : request->kind;
    CHECK(kind < generator_kinds_count);
    g.kind = &generator_kinds[kind];
    g.size = request->size ? request->size : 100;
    g.language = percent(&g, g.kind->language);
    g.straight = percent(&g, 60);
    g.misuse = percent(&g, 3);
    fill(&g);
    return kind;
}
