#include "bench/scaling/item_tree.h"

#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "cli/load.h"
#include "dpor/registry.h"
#include "explore/exchange.h"
#include "explore/exploration.h"

enum { MEASURED_EACH = 997 }; /* executions: the cost of moving items is measured after so many */

typedef struct recorder {
    exchange exchange;
    sink sink;
    item_tree *tree;
    uint32_t pieces; /* that were there when the current execution began */
    uint64_t steps;  /* that had been taken then */
} recorder;

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Half of them, the oldest, as a worker gives them and another takes them. */
static bool move_items(item_tree *t, strategy *s) {
    const strategy_work *work = s->class->work;
    uint32_t count = work->count(s) / 2;
    bytes moved = {0};
    double began = processor_seconds();
    work->encode(s, 0, count, &moved);
    work->drop(s, count);
    byte_reader r = byte_reader_of(moved.content.items, moved.content.count);
    bool good = work->decode(s, &r);
    t->move_seconds += processor_seconds() - began;
    t->items_moved += count;
    t->move_bytes += moved.content.count;
    bytes_free(&moved);
    return good;
}

/* After each execution: what it has left is what there is more than before. */
static bool record(exchange *e, strategy *s) {
    recorder *r = (recorder *)e;
    const exploration *x = s->exploration;
    uint32_t pieces = s->class->work->count(s);
    uint64_t steps = x->events + x->replayed;
    vector_push(&r->tree->nodes, (tree_node){pieces - r->pieces, (uint32_t)(steps - r->steps)});
    r->pieces = pieces ? pieces - 1 : 0;
    r->steps = steps;
    return r->tree->nodes.count % MEASURED_EACH || move_items(r->tree, s);
}

static bool has_no_more(exchange *e, strategy *s) {
    (void)e, (void)s;
    return false;
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
}

static bool ignore(sink *s, const exploration *x, const program_error *found) {
    (void)s, (void)x, (void)found;
    return true;
}

bool item_tree_record(item_tree *t, const settings *s) {
    static const exchange_class records = {.serve = record, .refill = has_no_more};
    static const sink_class ignores = {.executed = executed, .error = ignore};
    static const volatile uint32_t always = 1;
    recorder r = {
        .exchange = {.class = &records, .wanted = &always}, .sink.class = &ignores, .tree = t};
    loaded l;
    text message = {0};
    *t = (item_tree){0};
    bool good = load_here(&l, s, &message);
    if (good) {
        exploration x;
        exploration_init(&x, l.target, &r.sink);
        x.exchange = &r.exchange;
        double began = processor_seconds();
        good = exploration_run(&x, strategy_find("pop")) == EXPLORATION_COMPLETE;
        t->seconds = processor_seconds() - began - t->move_seconds;
        t->steps = x.events + x.replayed;
        exploration_free(&x);
    }
    if (!good) {
        fprintf(stderr, "scaling: %s\n",
                text_length(&message) ? text_string(&message) : "the exploration did not end");
    }
    loaded_free(&l);
    text_free(&message);
    return good;
}

void item_tree_free(item_tree *t) {
    vector_free(&t->nodes);
}
