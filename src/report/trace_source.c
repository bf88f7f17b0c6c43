#include "report/trace_source.h"

/* The bytes that the step accesses, whatever it does with them. */
static uint64_t place_of(const trace_step *s) {
    return s->footprint & (((footprint)1 << 40) - 1);
}

static bool reads(const trace_step *s) {
    return operation_shows(s->kind, SHOWS_RESULT) && s->kind != OPERATION_CHOOSE;
}

/* Of a step with a version; one that compares has written if it succeeded. */
static bool writes(const trace_step *s) {
    if (operation_has_role(s->kind, ROLE_COMPARES | ROLE_TAKES)) {
        return s->value != 0;
    }
    return s->kind != OPERATION_READ && s->kind != OPERATION_AWAIT;
}

static bool has_version(const trace *t, const trace_step *s) {
    return t->target->versions && s->step.choice != CHOICE_NONE && s->kind != OPERATION_CHOOSE &&
           !footprint_is_set(s->footprint);
}

/* Where in the order of `count` writes the step comes, or what it reads: 0 is before all. */
static uint32_t position_of(const trace_step *s, uint32_t count) {
    return s->step.choice <= count ? count - s->step.choice : count;
}

uint32_t trace_newer_write(const trace *t, uint32_t index) {
    const trace_step *s = &vector_at(&t->steps, index);
    VECTOR(uint32_t) order = {0}; /* the writes before, the latest last */
    if (!has_version(t, s) || !reads(s) || !s->step.choice) {
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < index; i++) {
        const trace_step *other = &vector_at(&t->steps, i);
        if (!has_version(t, other) || place_of(other) != place_of(s) || !writes(other)) {
            continue;
        }
        uint32_t at = position_of(other, order.count);
        vector_push(&order, i);
        for (uint32_t k = order.count - 1; k > at; k--) {
            vector_at(&order, k) = vector_at(&order, k - 1);
        }
        vector_at(&order, at) = i;
    }
    uint32_t at = position_of(s, order.count);
    uint32_t newer = at < order.count ? vector_at(&order, at) : UINT32_MAX;
    vector_free(&order);
    return newer;
}
