#include "explore/comparison.h"

void comparison_free(comparison *c) {
    vector_free(&c->reference);
    vector_free(&c->state);
}

static bool has_alternative(const operation *op, uint32_t choice) {
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        if (operation_choice(op, i) == choice) {
            return true;
        }
    }
    return false;
}

bool comparison_run(exploration *x, uint32_t length, sleeper *steps, uint32_t count) {
    exploration_revisit(x, length);
    for (uint32_t i = 0; i < count; i++) {
        const operation *pending = x->target->class->pending(x->target, steps[i].thread);
        if (!pending || !operation_enabled(pending) || !has_alternative(pending, steps[i].choice)) {
            return false;
        }
        steps[i].footprint = pending->footprint;
        step_result result;
        x->target->class->step(x->target, steps[i].thread, steps[i].choice, &result);
        x->replayed++;
    }
    return true;
}

void comparison_keep(comparison *c, exploration *x) {
    vector_resize(&c->reference, (uint32_t)x->target->class->state_size(x->target));
    x->target->class->save(x->target, c->reference.items);
}

bool comparison_holds(comparison *c, exploration *x) {
    uint32_t size = (uint32_t)x->target->class->state_size(x->target);
    vector_resize(&c->state, size);
    x->target->class->save(x->target, c->state.items);
    return size == c->reference.count &&
           x->target->class->equal(x->target, c->reference.items, c->state.items);
}
