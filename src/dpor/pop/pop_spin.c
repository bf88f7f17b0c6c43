#include "dpor/pop/pop_spin.h"

bool pop_can_treat(const target *t, uint8_t kind, uint8_t flags, footprint f) {
    unsigned opaque = ROLE_OPAQUE | (t->spins_by_tries ? ROLE_TRIES : 0);
    bool waits = flags & OPERATION_SPINS && operation_has_role(kind, opaque);
    return !waits && !(flags & OPERATION_VARIES &&
                       (operation_has_role(kind, ROLE_SELECTS) || footprint_is_set(f)));
}

/* The value that the step's object held when the step was taken in E, with which it could be
 * taken. */
static bool is_known_open(const pop_condition *c, uint64_t value) {
    const execution *e = execution_of(c->pop);
    if (c->position == POP_CONDITION_HEAD) {
        return false;
    }
    const event *of = execution_event(e, c->position);
    CHECK(of->flags & OPERATION_SPINS && footprint_count(of->footprint) == 1);
    return vector_at(&e->values, of->first_link).before == value;
}

static bool holds(const tree_condition *condition, uint64_t value) {
    const pop_condition *c = (const pop_condition *)condition;
    exploration *x = c->pop->base.exploration;
    if (is_known_open(c, value)) {
        return true;
    }
    if (c->position == POP_CONDITION_HEAD) {
        const position_list *schedule = &c->pop->schedule;
        exploration_probe_events(x, c->first, schedule->items, schedule->count, c->thread);
    } else {
        exploration_revisit(x, c->position);
    }
    CHECK(x->target->class->opens && x->records_values);
    return x->target->stale || x->target->class->opens(x->target, c->thread, value);
}

const tree_condition *pop_condition_of_event(pop_condition *c, pop *p, uint32_t position) {
    const event *of = execution_event(execution_of(p), position);
    if (!(of->flags & OPERATION_SPINS)) {
        return NULL;
    }
    *c = (pop_condition){{holds}, p, position, 0, of->thread};
    return &c->base;
}

const tree_condition *pop_condition_of_head(pop_condition *c, pop *p, uint32_t first,
                                            uint32_t thread, const operation *op) {
    if (!(op->flags & OPERATION_SPINS)) {
        return NULL;
    }
    *c = (pop_condition){{holds}, p, POP_CONDITION_HEAD, first, thread};
    return &c->base;
}
