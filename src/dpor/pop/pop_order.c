#include "dpor/pop/pop_order.h"

#include "base/limit.h"

enum {
    MOST_PUT_OFF = LIMIT_TORTURE ? 3 : 256,
    WORTH_PUTTING_OFF = LIMIT_TORTURE ? 0 : 8, /* so many steps more in common */
};

void order_resume(pop *p) {
    p->resumed = p->put_off.count ? p->items.count + 1 : p->resumed;
    while (p->put_off.count) {
        vector_push(&p->items, vector_pop(&p->put_off));
    }
}

/* The latest item would destroy what the one below it has in common with the execution. */
static bool is_to_be_put_off(const pop *p) {
    if (p->items.count < 2) {
        return false;
    }
    const work_item *latest = vector_at(&p->items, p->items.count - 1);
    const work_item *below = vector_at(&p->items, p->items.count - 2);
    if (below->shared <= WORTH_PUTTING_OFF ||
        (latest->parent == p->item && latest->shared + WORTH_PUTTING_OFF >= below->shared)) {
        return false; /* the usual case, and quickly decided */
    }
    return item_common(p->item, latest) + WORTH_PUTTING_OFF < item_common(p->item, below);
}

static void put_off(pop *p) {
    p->resumed = p->items.count < p->resumed ? 0 : p->resumed;
    while (!p->resumed && is_to_be_put_off(p)) {
        vector_push(&p->put_off, vector_pop(&p->items));
        if (p->put_off.count == MOST_PUT_OFF) {
            order_resume(p);
        }
    }
    if (!p->items.count) {
        order_resume(p);
    }
}

work_item *order_take(pop *p) {
    exploration *x = p->base.exploration;
    CHECK(order_count(p) && p->owed > 0);
    if (x->shuffle) {
        order_resume(p);
        uint32_t i = random_below(&x->random, p->items.count);
        work_item *taken = vector_at(&p->items, i);
        vector_at(&p->items, i) = vector_last(&p->items);
        vector_last(&p->items) = taken;
    } else {
        put_off(p);
    }
    p->owed--;
    return vector_pop(&p->items);
}
