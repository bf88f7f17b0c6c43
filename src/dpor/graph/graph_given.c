/* Graphs that begin with given steps: their events are never removed, and each graph that contains
 * them is explored once, as if the program began with them. The same steps can be taken in every
 * order in which each comes after the write that it reads and after the earlier steps of its
 * thread; its choice depends on the order. */
#include "dpor/graph/graph_search.h"

static bool is_same(step a, step b) {
    return a.thread == b.thread && a.choice == b.choice;
}

/* The event took the latest write; the given write is among its alternatives. */
static bool take_other(graph_search *s, uint32_t first, step wanted) {
    uint32_t length = s->script.count;
    for (uint32_t i = first, end = s->items.count; i < end; i++) {
        graph_item item = vector_at(&s->items, i);
        if (item.work == WORK_ADD && item.event.thread == wanted.thread &&
            graph_search_add(s, &item) && s->script.count == length + 1 &&
            is_same(vector_last(&s->script), wanted)) {
            return true;
        }
        s->script.count = length;
    }
    return false;
}

static bool follow(strategy *base, step wanted) {
    graph_search *s = (graph_search *)base;
    target *t = base->exploration->target;
    const operation *op;
    graph_widen(graph_search_present(s), t->class->thread_count(t));
    if (target_find_obstacle(t, wanted, &op) != STEP_POSSIBLE ||
        graph_search_unsupported(s, wanted.thread, op)) {
        return false;
    }
    uint32_t length = graph_length(graph_search_present(s)), others = s->items.count;
    step next = {0};
    bool latest =
        graph_search_extend(s, wanted.thread, op, &next) == DECISION_STEP && is_same(next, wanted);
    if (latest) {
        vector_push(&s->script, wanted);
    }
    bool found = latest || take_other(s, others, wanted);
    s->items.count = others;
    for (uint32_t id = length; found && id < graph_length(graph_search_present(s)); id++) {
        graph_at(graph_search_present(s), id)->frozen = true;
    }
    return found;
}

/* The write of a read-modify-write is part of the step of its read. */
static bool is_second(const graph_event *e) {
    return e->kind == GRAPH_WRITE && e->exclusive;
}

/* The events of the steps that were given, by number, and the numbers of all events. */
static void number_steps(graph_search *s) {
    const graph *g = graph_search_present(s);
    vector_clear(&s->numbers);
    vector_clear(&s->reads);
    for (uint32_t id = 0; id < graph_length(g); id++) {
        if (!is_second(graph_at(g, id))) {
            vector_push(&s->reads, id);
        }
        vector_push(&s->numbers, s->reads.count - 1);
    }
}

static void before(strategy *base, uint32_t number, step_numbers *found) {
    graph_search *s = (graph_search *)base;
    graph_list events = {0};
    number_steps(s);
    graph_predecessors(graph_search_present(s), vector_at(&s->reads, number), &events);
    for (uint32_t i = 0; i < events.count; i++) {
        vector_push(found, vector_at(&s->numbers, vector_at(&events, i)));
    }
    vector_free(&events);
}

static void arrange(strategy *base, const step_numbers *numbers, step *steps) {
    graph_search *s = (graph_search *)base;
    graph_list ids = {0};
    number_steps(s);
    for (uint32_t i = 0; i < numbers->count; i++) {
        vector_push(&ids, vector_at(&s->reads, vector_at(numbers, i)));
    }
    graph_arrange(graph_search_present(s), &ids, &s->planned);
    CHECK(s->planned.count == numbers->count);
    for (uint32_t i = 0; i < numbers->count; i++) {
        steps[i] = vector_at(&s->planned, i);
    }
    vector_free(&ids);
}

const strategy_given graph_given = {follow, before, arrange};
