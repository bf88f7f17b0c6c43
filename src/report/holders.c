#include "report/holders.h"

static uint32_t position(const holder_list *l, uint32_t object, uint32_t thread) {
    uint32_t i = 0;
    while (i < l->count && (vector_at(l, i).object != object || vector_at(l, i).thread != thread)) {
        i++;
    }
    return i;
}

/* An exclusive owner is the only one: if others still held it, they have ended. */
static void drop_others(holder_list *l, uint32_t object, uint32_t thread) {
    for (uint32_t i = l->count; i-- > 0;) {
        if (vector_at(l, i).object == object && vector_at(l, i).thread != thread) {
            vector_remove(l, i, 1);
        }
    }
}

static void take(holder_list *l, const finding_step *s, uint32_t index) {
    if (!holder_shares(s->kind)) {
        drop_others(l, s->object, s->step.thread);
    }
    uint32_t i = position(l, s->object, s->step.thread);
    if (i == l->count) {
        vector_push(l, (holder){.object = s->object, .thread = s->step.thread, .since = index});
    }
    vector_at(l, i).times++;
}

static void release(holder_list *l, const finding_step *s) {
    uint32_t i = position(l, s->object, s->step.thread);
    if (i < l->count && !--vector_at(l, i).times) {
        vector_remove(l, i, 1);
    }
}

void holders_find(const finding *f, uint32_t count, holder_list *found) {
    CHECK(count <= f->steps.count);
    vector_clear(found);
    for (uint32_t i = 0; i < count; i++) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (operation_has_role(s->kind, ROLE_TAKES) && s->acquired) {
            take(found, s, i);
        } else if (operation_has_role(s->kind, ROLE_RELEASES)) {
            release(found, s);
        }
    }
}
