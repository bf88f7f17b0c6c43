#include "core/wakeup.h"

void wakeup_init(wakeup_forest *f) {
    *f = (wakeup_forest){.free = WAKEUP_NONE};
}

void wakeup_free(wakeup_forest *f) {
    vector_free(&f->nodes);
}

uint32_t wakeup_new(wakeup_forest *f, uint32_t thread, uint32_t choice, footprint footprint) {
    uint32_t node = f->free;
    if (node == WAKEUP_NONE) {
        node = f->nodes.count;
        vector_resize(&f->nodes, node + 1);
    } else {
        f->free = f->nodes.items[node].next_sibling;
    }
    f->nodes.items[node] = (wakeup_node){.thread = thread,
                                         .choice = choice,
                                         .footprint = footprint,
                                         .first_child = WAKEUP_NONE,
                                         .last_child = WAKEUP_NONE,
                                         .next_sibling = WAKEUP_NONE};
    f->used++;
    return node;
}

void wakeup_append(wakeup_forest *f, uint32_t parent, uint32_t child) {
    wakeup_node *p = &f->nodes.items[parent];
    if (p->first_child == WAKEUP_NONE) {
        p->first_child = child;
    } else {
        f->nodes.items[p->last_child].next_sibling = child;
    }
    p->last_child = child;
}

void wakeup_drop_first(wakeup_forest *f, uint32_t parent) {
    wakeup_node *p = &f->nodes.items[parent];
    uint32_t child = p->first_child;
    CHECK(child != WAKEUP_NONE);
    wakeup_node *c = &f->nodes.items[child];
    CHECK(c->first_child == WAKEUP_NONE);
    p->first_child = c->next_sibling;
    if (p->first_child == WAKEUP_NONE) {
        p->last_child = WAKEUP_NONE;
    }
    c->next_sibling = f->free;
    f->free = child;
    f->used--;
}

void wakeup_prune(wakeup_forest *f, uint32_t node) {
    /* The children of each child are moved up until there are none: no recursion. */
    while (wakeup_at(f, node)->first_child != WAKEUP_NONE) {
        wakeup_node *child = &f->nodes.items[wakeup_at(f, node)->first_child];
        if (child->first_child != WAKEUP_NONE) {
            f->nodes.items[child->last_child].next_sibling = child->next_sibling;
            if (child->next_sibling == WAKEUP_NONE) {
                f->nodes.items[node].last_child = child->last_child;
            }
            child->next_sibling = child->first_child;
            child->first_child = child->last_child = WAKEUP_NONE;
        }
        wakeup_drop_first(f, node);
    }
}

/* The first child of `node` that is a weak initial of what is left; it is taken out if inside. */
static uint32_t follow(const wakeup_forest *f, uint32_t node, reversal *r) {
    uint32_t child = wakeup_at(f, node)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        const wakeup_node *c = wakeup_at(f, child);
        enum initial initial = reversal_initial(r, c->thread, c->choice, c->footprint);
        if (initial != INITIAL_NOT) {
            if (initial == INITIAL_INSIDE) {
                reversal_remove(r, c->thread);
            }
            return child;
        }
    }
    return WAKEUP_NONE;
}

bool wakeup_insert(wakeup_forest *f, uint32_t root, reversal *r) {
    uint32_t node = root;
    for (uint32_t child; (child = follow(f, node, r)) != WAKEUP_NONE;) {
        if (wakeup_at(f, child)->first_child == WAKEUP_NONE) {
            return false;
        }
        node = child;
    }
    uint32_t at = 0, position;
    while (reversal_left(r, &at, &position)) {
        const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
        uint32_t added = e ? wakeup_new(f, e->thread, e->choice, e->footprint)
                           : wakeup_new(f, r->last_thread, r->last_choice, r->last_footprint);
        wakeup_append(f, node, added);
        node = added;
    }
    return true;
}

void wakeup_check(const wakeup_forest *f, uint32_t root) {
    uint32_t child = wakeup_at(f, root)->first_child, last = WAKEUP_NONE;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        uint32_t other = wakeup_at(f, child)->next_sibling;
        for (; other != WAKEUP_NONE; other = wakeup_at(f, other)->next_sibling) {
            CHECK(wakeup_at(f, other)->thread != wakeup_at(f, child)->thread ||
                  wakeup_at(f, other)->choice != wakeup_at(f, child)->choice);
        }
        last = child;
    }
    CHECK(wakeup_at(f, root)->last_child == last);
}
