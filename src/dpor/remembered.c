#include "dpor/remembered.h"

void remembered_init(remembered_pool *p) {
    *p = (remembered_pool){.free = REMEMBERED_NONE};
}

void remembered_free(remembered_pool *p) {
    for (uint32_t i = 0; i < p->items.count; i++) {
        vector_free(&vector_at(&p->items, i).sequence);
    }
    vector_free(&p->items);
    vector_free(&p->lists);
}

void remembered_add(remembered_pool *p, uint32_t node, const step_sequence *sequence,
                    uint32_t length) {
    uint32_t item = p->free;
    if (item == REMEMBERED_NONE) {
        item = p->items.count;
        vector_push(&p->items, (remembered){0});
    } else {
        p->free = vector_at(&p->items, item).next;
    }
    while (p->lists.count <= node) {
        vector_push(&p->lists, REMEMBERED_NONE);
    }
    CHECK(item < p->items.count && vector_at(&p->lists, node) != item);
    remembered *r = &vector_at(&p->items, item);
    sequence_copy(&r->sequence, sequence);
    r->length = length;
    r->next = vector_at(&p->lists, node);
    vector_at(&p->lists, node) = item;
}

static uint32_t take(remembered_pool *p, const wakeup_forest *f, uint32_t node, uint32_t list) {
    if (node < p->lists.count) {
        uint32_t item = vector_at(&p->lists, node);
        vector_at(&p->lists, node) = REMEMBERED_NONE;
        while (item != REMEMBERED_NONE) {
            uint32_t next = vector_at(&p->items, item).next;
            vector_at(&p->items, item).next = list;
            list = item;
            item = next;
        }
    }
    uint32_t child = wakeup_at(f, node)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        list = take(p, f, child, list);
    }
    return list;
}

uint32_t remembered_take(remembered_pool *p, const wakeup_forest *f, uint32_t node) {
    return take(p, f, node, REMEMBERED_NONE);
}

bool remembered_contains(const remembered_pool *p, uint32_t item, const execution *e,
                         uint32_t length, uint32_t thread, step_sequence *sequence) {
    const remembered *r = &vector_at(&p->items, item);
    CHECK(r->length <= length && length <= execution_length(e));
    sequence_copy(sequence, &r->sequence);
    for (uint32_t i = r->length; i < length; i++) {
        sequence_remove(sequence, execution_event(e, i)->thread);
    }
    return sequence_contains(sequence, thread);
}

void remembered_drop(remembered_pool *p, uint32_t first) {
    while (first != REMEMBERED_NONE) {
        CHECK(first != p->free);
        uint32_t next = vector_at(&p->items, first).next;
        vector_at(&p->items, first).next = p->free;
        p->free = first;
        first = next;
    }
}
