#include "report/race_reason.h"

#include <string.h>

typedef VECTOR(uint32_t) object_list;

static void drop(object_list *held, uint32_t object) {
    for (uint32_t i = held->count; i-- > 0;) {
        if (vector_at(held, i) == object) {
            memmove(&held->items[i], &held->items[i + 1],
                    (held->count - i - 1) * sizeof *held->items);
            held->count--;
            return;
        }
    }
}

static finding_string name_of(const finding *f, uint32_t object) {
    for (uint32_t i = 0; i < f->steps.count; i++) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (s->object == object && operation_has_role(s->kind, ROLE_TAKES)) {
            return s->name;
        }
    }
    return 0;
}

void locks_held(const finding *f, uint32_t thread, uint32_t step, text *out) {
    object_list held = {0};
    for (uint32_t i = 0; i <= step && i < f->steps.count; i++) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (s->step.thread != thread) {
            continue;
        }
        if (operation_has_role(s->kind, ROLE_TAKES) && s->acquired) {
            vector_push(&held, s->object);
        } else if (operation_has_role(s->kind, ROLE_RELEASES)) {
            drop(&held, s->object);
        }
    }
    for (uint32_t i = 0; i < held.count; i++) {
        text_append(out, i ? ", " : "");
        text_append(out, finding_text(f, name_of(f, vector_at(&held, i))));
    }
    vector_free(&held);
}

void race_reason(const finding *f, text *out) {
    text_append(out,
                "Nothing orders the two: they hold no lock in common, and no creation or join of a "
                "thread, no unlock and lock of a mutex, and no release and acquire of an atomic "
                "variable leads from one to the other");
    uint32_t one = f->relations.count ? vector_at(&f->relations, 0).step : FINDING_NO_STEP;
    uint32_t other = f->relations.count > 1 ? vector_at(&f->relations, 1).step : FINDING_NO_STEP;
    if (one != FINDING_NO_STEP && other != FINDING_NO_STEP) {
        text_format(out, " (steps %u and %u)", (one < other ? one : other) + 1,
                    (one < other ? other : one) + 1);
    }
    text_append(out, ".");
}
