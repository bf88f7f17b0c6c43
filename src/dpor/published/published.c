#include "dpor/published/published.h"

static const published_rule *rule_of(const published *p) {
    return (const published_rule *)p->search.rule;
}

void published_init(published *p, const published_rule *rule) {
    search_init(&p->search, &rule->search);
    vector_push(&p->dnd, (sequences){0});
}

static void pop_level(published *p) {
    sequences *last = &vector_last(&p->dnd);
    for (uint32_t i = 0; i < last->count; i++) {
        vector_free(&vector_at(last, i));
    }
    CHECK(last->count <= p->held);
    p->held -= last->count;
    vector_free(last);
    p->dnd.count--;
}

void published_free(published *p) {
    p->search.base.exploration->dont_do = p->most;
    while (p->dnd.count) {
        pop_level(p);
    }
    CHECK(!p->held);
    vector_free(&p->dnd);
    vector_free(&p->before);
    vector_free(&p->v);
    vector_free(&p->rest);
    vector_free(&p->plan);
    vector_free(&p->dont);
    comparison_free(&p->comparison);
    search_free(&p->search);
}

/* ---- don't-do sets ---- */

static void add_dont(published *p, uint32_t length, const step_sequence *s) {
    CHECK(s->count && length < p->dnd.count);
    step_sequence copy = {0};
    sequence_copy(&copy, s);
    vector_push(&vector_at(&p->dnd, length), copy);
    p->held++;
    p->most = p->held > p->most ? p->held : p->most;
}

bool published_skips(const search *s, uint32_t thread, uint32_t choice) {
    const sequences *set =
        &vector_at(&((const published *)s)->dnd, execution_length(search_execution(s)));
    for (uint32_t i = 0; i < set->count; i++) {
        const step_sequence *one = &vector_at(set, i);
        if (one->count == 1 && vector_at(one, 0).thread == thread &&
            vector_at(one, 0).choice == choice) {
            return true;
        }
    }
    return false;
}

/* Lines 29-30 and 61-62. */
void published_descend(search *s, const event *taken) {
    published *p = (published *)s;
    uint32_t length = p->dnd.count, at;
    vector_push(&p->dnd, (sequences){0});
    for (uint32_t i = 0; i < vector_at(&p->dnd, length - 1).count; i++) {
        const step_sequence *from = &vector_at(&vector_at(&p->dnd, length - 1), i);
        if (!rule_of(p)->inherits(from, taken, &at)) {
            continue;
        }
        CHECK(at <= from->count); /* the step that was taken; none, if all stay */
        vector_clear(&p->dont);
        for (uint32_t k = 0; k < from->count; k++) {
            if (k != at) {
                vector_push(&p->dont, vector_at(from, k));
            }
        }
        if (p->dont.count) {
            add_dont(p, length, &p->dont);
        }
    }
}

void published_ascend(search *s, uint32_t length, const event *done) {
    published *p = (published *)s;
    (void)done;
    CHECK(length < p->dnd.count);
    while (p->dnd.count > length + 1) {
        pop_level(p);
    }
}

/* ---- races ---- */

void published_plan(published *p, uint32_t length, bool has_dont) {
    const published_rule *rule = rule_of(p);
    published_make_plan(p, &p->v, &p->plan);
    if (rule->is_redundant(p, length)) {
        return;
    }
    if (rule->start_insertion) {
        rule->start_insertion(p, length);
    }
    wakeup_insert_steps(&p->search.forest, vector_at(&p->search.roots, length), &p->plan,
                        rule->is_weak_initial, p);
    if (has_dont) {
        add_dont(p, length, &p->dont);
    }
}

bool published_run(published *p, uint32_t length, const positions *s) {
    published_make_plan(p, s, &p->comparison.sequence);
    return comparison_run(&p->comparison, p->search.base.exploration, length);
}

/* Lines 38 and 77: the state after e' equals that after the events up to e' with the race
 * reversed. */
static bool commutes(published *p, uint32_t e, uint32_t second) {
    positions reversed = {0}, none = {0};
    published_add_up_to(p, second, &reversed);
    for (uint32_t i = e; i < second; i++) {
        if (i == e || published_happens_before(p, e, i)) {
            vector_push(&reversed, i);
        }
    }
    bool same = published_run(p, second + 1, &none);
    comparison_keep(&p->comparison, p->search.base.exploration);
    same = same && published_run(p, e, &reversed) &&
           comparison_holds(&p->comparison, p->search.base.exploration);
    vector_free(&reversed);
    return same;
}

void published_reverse(published *p, uint32_t e, uint32_t second) {
    CHECK(published_is_race(p, e, second));
    vector_clear(&p->v);
    published_add_ancestors(p, e, second);
    vector_push(&p->v, second);
    published_add_future_initials(p, e);
    bool same = commutes(p, e, second);
    published_make_plan(p, &p->v, &p->dont);
    vector_push(&p->dont, sequence_step_of(published_event(p, e)));
    published_plan(p, e, same);
}

static void detect(published *p) {
    uint32_t n = execution_length(search_execution(&p->search));
    published_compute_order(p);
    for (uint32_t second = 0; second < n; second++) {
        for (uint32_t e = 0; e < second; e++) {
            if (published_is_race(p, e, second)) {
                rule_of(p)->reverse(p, e, second);
            }
        }
    }
    exploration_synchronise(p->search.base.exploration);
}

/* RaceDetection(E.p), where p is not taken. */
static void detect_with(published *p, uint32_t thread, uint32_t choice) {
    exploration *x = p->search.base.exploration;
    uint32_t length = execution_length(&x->execution);
    const operation *pending = x->target->class->pending(x->target, thread);
    if (pending && operation_enabled(pending)) {
        execution_append(&x->execution, thread, choice, pending);
        detect(p);
        execution_truncate(&x->execution, length);
        exploration_synchronise(x);
    }
}

/* ---- exploration ---- */

static bool is_possible(published *p, const wakeup_node *node) {
    target *program = p->search.base.exploration->target;
    const operation *pending = program->class->pending(program, node->thread);
    return pending && operation_enabled(pending) &&
           operation_has_alternative(pending, node->choice);
}

/* Lines 23-26: children that are in the don't-do set, or cannot be taken, are dropped. */
bool published_drops(search *s, uint32_t child) {
    published *p = (published *)s;
    wakeup_node first = *wakeup_at(&s->forest, child);
    bool pruned = published_skips(s, first.thread, first.choice);
    if (!pruned && is_possible(p, &first)) {
        return false;
    }
    search_drop_first(s);
    if (pruned) {
        detect_with(p, first.thread, first.choice);
    }
    return true;
}

void published_ended(strategy *base, enum decision decision) {
    published *p = (published *)base;
    uint32_t length = execution_length(search_execution(&p->search));
    wakeup_prune(&p->search.forest, vector_at(&p->search.roots, length));
    if (decision != DECISION_PRUNED) {
        detect(p);
        return;
    }
    for (uint32_t i = 0; p->search.skipped && i < vector_at(&p->dnd, length).count; i++) {
        step_sequence one = vector_at(&vector_at(&p->dnd, length), i);
        if (one.count == 1) {
            detect_with(p, vector_at(&one, 0).thread, vector_at(&one, 0).choice);
        }
    }
}
