#include "oracle/generator.h"

#include "base/check.h"
#include "base/memory_model.h"
#include "oracle/generator_items.h"
#include "oracle/hash.h"

uint32_t generator_kind_count(void) {
    return generator_kinds_count;
}

const char *generator_kind_name(uint32_t kind) {
    CHECK(kind < generator_kinds_count);
    return generator_kinds[kind].name;
}

/* Every spawned thread has one spawner, of a smaller number, at a random place of its code. */
static void insert_spawn(generator *g, uint8_t child) {
    sketch_thread *t = &g->sketch->threads[generator_below(g, child)];
    uint32_t at = generator_below(g, t->count + 1u);
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
    t->ops[at].guard = generator_percent(g, 10) ? GUARD_SET : GUARD_NONE;
    t->count++;
}

/* Reads every variable once, in some order. */
static void add_readings(generator *g) {
    for (uint32_t unread = (1u << g->variables) - 1; unread;) {
        uint8_t variable = generator_some_variable(g);
        if (unread >> variable & 1) {
            generator_emit(g, (sketch_op){.kind = SKETCH_READ, .cell = variable});
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
    g->thread->spawned = number > 0 && generator_percent(g, g->kind->spawned);
    if (generator_percent(g, 3)) {
        return; /* a thread without a step */
    }
    if (g->kind->writers && generator_percent(g, 70)) {
        add_readings(g);
        return;
    }
    while (g->budget > 0) {
        generator_add_item(g);
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
    return most > 1 && generator_percent(g, 50) ? most - 1 : most;
}

static void fill(generator *g) {
    const generator_kind *k = g->kind;
    g->variables = some_of(g, k->variables);
    g->mutexes = some_of(g, k->mutexes);
    g->conditions = some_of(g, k->conditions);
    g->objects = some_of(g, k->objects);
    uint32_t threads =
        k->threads_least + generator_below(g, k->threads_most - k->threads_least + 1u);
    uint32_t ops = k->ops_least + generator_below(g, k->ops_most - k->ops_least + 1u);
    ops = ops * g->size / 100;
    *g->sketch = (sketch){.thread_count = (uint8_t)threads};
    g->sketch->semaphore_value = (uint8_t)(k->objects ? generator_below(g, 3) : 0);
    g->sketch->barrier_size = (uint8_t)(k->objects ? 2 + generator_below(g, 2) : 2);
    for (uint32_t bit = 0; k->plain && bit < 8; bit++) {
        g->sketch->plain |= (uint8_t)(generator_percent(g, k->plain) << bit);
    }
    g->receiver = generator_below(g, threads);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t left = threads - t;
        uint32_t share = (ops + left - 1) / left;
        uint32_t budget = t + 1 == threads ? ops : share + generator_below(g, 3);
        budget = budget < 2 ? 1 + generator_below(g, 2) : budget - 1 + generator_below(g, 2);
        fill_thread(g, t, budget);
        ops -= budget < ops ? budget : ops;
    }
    for (uint32_t t = 1; t < threads; t++) {
        if (g->sketch->threads[t].spawned) {
            insert_spawn(g, (uint8_t)t);
        }
    }
    for (uint32_t v = 0; k->writers && v < g->variables; v++) {
        insert_writer(g, generator_below(g, g->sketch->thread_count + 1u), (uint8_t)v);
    }
}

/* A memory order that C11 has for the access; a failing compare-and-swap has one of its own. */
static void order_access(generator *g, sketch_op *op) {
    static const enum access_order reads[] = {ORDER_RELAXED, ORDER_ACQUIRE},
                                   writes[] = {ORDER_RELAXED, ORDER_RELEASE},
                                   fences[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL},
                                   updates[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                                ORDER_ACQ_REL};
    switch (op->kind) {
        case SKETCH_READ:
        case SKETCH_AWAIT: op->order = (uint8_t)reads[generator_below(g, 2)]; break;
        case SKETCH_WRITE: op->order = (uint8_t)writes[generator_below(g, 2)]; break;
        case SKETCH_FENCE: op->order = (uint8_t)fences[generator_below(g, 3)]; break;
        case SKETCH_ADD:
        case SKETCH_EXCHANGE:
        case SKETCH_CAS: op->order = (uint8_t)updates[generator_below(g, 4)]; break;
        default: return;
    }
    op->failure = op->kind == SKETCH_CAS && generator_percent(g, 50)
                      ? (uint8_t)reads[generator_below(g, 2)]
                      : (uint8_t)access_order_failing(op->order);
}

static bool is_plain(const generator *g, const sketch_op *op) {
    bool access = op->kind == SKETCH_READ || op->kind == SKETCH_WRITE || op->kind == SKETCH_ADD ||
                  op->kind == SKETCH_EXCHANGE || op->kind == SKETCH_CAS || op->kind == SKETCH_AWAIT;
    return access && g->sketch->plain >> op->cell & 1;
}

/* Memory models do not have variables that are accessed both plainly and atomically. */
static void make_plain(generator *g, sketch_op *op) {
    bool known = op->kind == SKETCH_READ || op->kind == SKETCH_WRITE;
    op->kind = known ? op->kind : generator_percent(g, 50) ? SKETCH_READ : SKETCH_WRITE;
}

/* In some programs few accesses have one, in some nearly all. */
static void order_accesses(generator *g) {
    uint32_t share = g->kind->ordered ? g->kind->ordered * (1 + generator_below(g, 3)) / 3 : 0;
    for (uint32_t t = 0; share && t < g->sketch->thread_count; t++) {
        for (uint32_t i = 0; i < g->sketch->threads[t].count; i++) {
            sketch_op *op = &g->sketch->threads[t].ops[i];
            if (is_plain(g, op)) {
                make_plain(g, op);
            } else if (generator_percent(g, share)) {
                order_access(g, op);
            }
        }
    }
}

static uint32_t draw_kind(generator *g) {
    uint8_t shares[KINDS_MOST] = {0};
    for (uint32_t i = 0; i < generator_kinds_count; i++) {
        shares[i] = generator_kinds[i].share;
    }
    return generator_draw(g, shares, generator_kinds_count);
}

uint32_t generator_program(const generator_request *request, uint64_t index, sketch *s) {
    generator g = {.random = {hash_mix(hash_mix(request->seed) + index)}, .sketch = s};
    bool any = request->kind == GENERATOR_ANY_KIND;
    uint32_t kind = any ? draw_kind(&g) : request->kind;
    CHECK(kind < generator_kinds_count);
    g.kind = &generator_kinds[kind];
    g.size = request->size ? request->size : 100;
    g.language = generator_percent(&g, g.kind->language);
    g.straight = generator_percent(&g, 60);
    g.misuse = generator_percent(&g, 3);
    fill(&g);
    order_accesses(&g);
    return kind;
}
