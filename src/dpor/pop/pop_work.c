/* POP's work items for other processes (explore/strategy.h, strategy_work). */
#include "dpor/pop/pop.h"
#include "dpor/pop/pop_check.h"
#include "dpor/pop/pop_order.h"

/* Puts all items into one list, for the functions below. Their order does not matter. */
static uint32_t pop_work_count(strategy *s) {
    pop *p = (pop *)s;
    order_resume(p);
    return p->items.count;
}

static uint32_t pop_work_length(const strategy *s, uint32_t number) {
    return vector_at(&((const pop *)s)->items, number)->scripted;
}

static void pop_encode_work(strategy *s, uint32_t first, uint32_t count, bytes *out) {
    pop *p = (pop *)s;
    name_writer w;
    CHECK(first <= p->items.count && count <= p->items.count - first);
    item_keep(p->item, execution_of(p));
    name_writer_open(&w, s->exploration->target);
    items_encode(p->items.items + first, count, &w);
    name_writer_finish(&w, out);
    name_writer_free(&w);
}

/* The item that is being run is kept until its run ends, whether it has children or not. */
static void pop_drop_work(strategy *s, uint32_t count) {
    pop *p = (pop *)s;
    CHECK(count <= p->items.count);
    for (uint32_t i = 0; i < count; i++) {
        item_drop(&p->pool, vector_at(&p->items, i));
    }
    vector_remove(&p->items, 0, count);
    p->resumed = 0;
    p->owed -= count;
    pop_check_give_up(p);
}

static void pop_trim_work(strategy *s) {
    pop *p = (pop *)s;
    item_pool_trim(&p->pool);
    vector_shrink(&p->items, 0);
}

static bool pop_decode_work(strategy *s, byte_reader *bytes) {
    pop *p = (pop *)s;
    name_reader r;
    item_list items = {0};
    name_reader_open(&r, s->exploration->target, bytes);
    items_decode(&p->pool, &r, &items);
    execution_reserve_threads(&s->exploration->execution, r.thread_count);
    name_reader_free(&r);
    s->exploration->records_values =
        s->exploration->target->compares || s->exploration->target->spins;
    pop_check_give_up(p);
    p->took_bytes = true;
    p->owed += items.count;
    vector_append(&items, p->items.items, p->items.count);
    vector_free(&p->items);
    p->items = items;
    p->resumed = 0;
    return !bytes->failed;
}

static uint32_t pop_work_steps(const strategy *s, const step **steps) {
    const pop *p = (const pop *)s;
    *steps = p->path.steps.items;
    return p->path.steps.count;
}

const strategy_work pop_work = {
    .count = pop_work_count,
    .length = pop_work_length,
    .encode = pop_encode_work,
    .drop = pop_drop_work,
    .trim = pop_trim_work,
    .decode = pop_decode_work,
    .steps = pop_work_steps,
};
