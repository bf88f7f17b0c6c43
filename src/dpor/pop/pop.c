/* POP, parsimonious-optimal DPOR: CAV 2024, Algorithm 1, with the corrections and the rules for
 * blocking, choices, several accesses per step and compare-and-swap that docs/ALGORITHMS.md lists.
 *
 * Instead of recursing at every race (line 12), an execution is run to its end and the schedules
 * that reverse its parsimonious races are put on a stack of work items. An item and its ancestors
 * contain everything that is needed to continue from E1.σ: its steps, its marks, and the sleep-set
 * trees of its schedule heads. Any order of the items gives the same result.
 *
 * Line 13 leaves open which event comes next. Right after a schedule head that has trees, it is the
 * first event of the race that the head reverses, the base of those trees: from then on they can
 * forbid nothing. Trees are therefore alive only between a head and the next event, and the free
 * part of an execution needs no sleep set at all. */
#include "dpor/pop/pop.h"

#include "dpor/pop/pop_check.h"
#include "dpor/pop/pop_order.h"
#include "dpor/pop/pop_spin.h"

/* ---- life ---- */

static void pop_init(strategy *s) {
    pop *p = (pop *)s;
    s->exploration->records_values =
        s->exploration->target->compares || s->exploration->target->spins;
    p->item = item_new(&p->pool, NULL, 0);
    pop_check_start(p);
}

static void pop_free(strategy *s) {
    pop *p = (pop *)s;
    pop_check_free(p);
    order_resume(p);
    while (p->items.count) {
        item_drop(&p->pool, vector_pop(&p->items));
    }
    vector_free(&p->put_off);
    item_drop(&p->pool, p->item);
    item_pool_free(&p->pool);
    vector_free(&p->items);
    path_free(&p->path);
    vector_free(&p->races);
    vector_free(&p->accepted);
    vector_free(&p->past);
    vector_free(&p->schedule);
    blocked_free(&p->blocked);
    vector_free(&p->asleep);
}

/* ---- exploration phase ---- */

/* The thread whose step is the base of the trees that are alive now; false if there are none. */
static bool pick_base(const pop *p, uint32_t length, uint32_t *thread) {
    if (!length || length != p->item->scripted) {
        return false;
    }
    const head_record *record = path_record(&p->path, length - 1);
    if (!record || !record->asleep.count) {
        return false;
    }
    *thread = vector_at(&record->asleep, 0)->base_thread;
    return true;
}

static void put_item(pop *p, work_item *item) {
    DEBUG_CHECK(item != p->item && item->scripted > item->shared);
    DEBUG_CHECK(!item->finished && item->steps.count == item->scripted - item->shared);
    DEBUG_INVARIANT(item_check(item));
    vector_push(&p->items, item);
    p->owed++;
}

/* A step with alternatives: the first one is taken, each of the others is a schedule. */
static void fork_alternatives(pop *p, uint32_t thread, const operation *pending) {
    for (uint32_t i = operation_alternatives(pending); i-- > 1;) {
        work_item *item = item_new(&p->pool, p->item, execution_length(execution_of(p)));
        item_add(item, (step){thread, operation_choice(pending, i)},
                 MARK_SCHEDULE | MARK_HEAD | MARK_LIMIT);
        item->head_races = false;
        pop_check_alternative(p, item);
        put_item(p, item);
    }
}

/* A step that came as bytes cannot be trusted. */
static bool can_take(exploration *x, step next) {
    const operation *pending = next.thread < x->target->class->thread_count(x->target)
                                   ? exploration_pending(x, next.thread)
                                   : NULL;
    return pending && operation_enabled(pending) && operation_has_alternative(pending, next.choice);
}

/* Lines 13-15, after the steps that the item prescribes. */
static enum decision pop_choose(strategy *s, step *next) {
    pop *p = (pop *)s;
    exploration *x = s->exploration;
    uint32_t length = execution_length(&x->execution);
    if (p->unsuited) {
        return DECISION_UNSUITED;
    }
    if (p->foreign) {
        return DECISION_FOREIGN;
    }
    if (length < p->item->scripted) {
        *next = vector_at(&p->path.steps, length);
        return p->item->foreign && !can_take(x, *next) ? DECISION_FOREIGN : DECISION_STEP;
    }
    if (p->item->phantom) {
        return DECISION_NOTHING;
    }
    bool refused;
    if (!pick_base(p, length, &next->thread) &&
        !exploration_pick(x, exploration_takes_any, NULL, &next->thread, &refused)) {
        return DECISION_MAXIMAL;
    }
    const operation *pending = exploration_pending(x, next->thread);
    if (!pending || !operation_enabled(pending)) {
        return DECISION_FOREIGN; /* the base of a tree that came as bytes */
    }
    next->choice = operation_choice(pending, 0);
    fork_alternatives(p, next->thread, pending);
    return DECISION_STEP;
}

static void pop_stepped(strategy *s) {
    pop *p = (pop *)s;
    uint32_t position = execution_length(&s->exploration->execution) - 1;
    if (position >= p->item->scripted) {
        vector_push(&p->path.marks, 0);
    }
    DEBUG_CHECK(p->path.marks.count > position && p->path.steps.count == p->item->scripted);
    const event *taken = execution_event(&s->exploration->execution, position);
    p->unsuited |=
        !pop_can_treat(s->exploration->target, taken->kind, taken->flags, taken->footprint);
}

/* How many steps of the execution the new item begins with, of which `common` are known. Its own
 * steps are counted again even if they are the same, so that the number of events does not depend
 * on the order in which items are run; and once there are errors, they are also taken again. */
static uint32_t same_length(const pop *p, uint32_t common) {
    const exploration *x = p->base.exploration;
    const execution *e = &x->execution;
    uint32_t most = x->has_errors ? p->item->shared : p->item->scripted;
    most = most < execution_length(e) ? most : execution_length(e);
    uint32_t length = common < most ? common : most;
    while (length < most) {
        const event *of = execution_event(e, length);
        step planned = vector_at(&p->path.steps, length);
        if (of->thread != planned.thread || of->choice != planned.choice) {
            break;
        }
        length++;
    }
    return length;
}

static bool pop_backtrack(strategy *s) {
    pop *p = (pop *)s;
    execution *e = &s->exploration->execution;
    if (p->unsuited) {
        return true; /* pop_choose will return that */
    }
    if (!order_count(p)) {
        CHECK(p->owed == 0);
        pop_check_all(p);
        return false;
    }
    work_item *old = p->item;
    p->item = order_take(p);
    uint32_t common = item_common(old, p->item);
    CHECK(common <= p->item->shared);
    item_finish(&p->pool, old, e);
    path_follow(&p->path, p->item, common);
    pop_check_run(p, p->item);
    s->exploration->known_length = p->item->shared;
    uint32_t length = same_length(p, common);
    s->exploration->skipped = length > p->item->shared ? length - p->item->shared : 0;
    execution_truncate(e, length);
    return true;
}

/* ---- the past of the late event in its new place ---- */

/* The causes `from` up to `to` of an operation. */
static void join_causes(pop *p, const operation *op, uint32_t from, uint32_t to) {
    const execution *e = execution_of(p);
    for (uint32_t i = from; i < to; i++) {
        cause c = op->causes[i];
        if (c.events) {
            uint32_t position = execution_position(e, c.thread, c.events - 1);
            clock_join(p->past.items, execution_clock(e, position), e->stride);
        }
    }
}

/* base(e'): program order, creation, join and waker. */
static void join_base(pop *p, const late_event *late) {
    const execution *e = execution_of(p);
    if (late->index) {
        uint32_t previous = execution_position(e, late->thread, late->index - 1);
        clock_join(p->past.items, execution_clock(e, previous), e->stride);
    }
    join_causes(p, &late->operation, 0, operation_fixed_causes(&late->operation));
}

/* What conflicts with e', comes before it, is not e and does not happen after e: back to where all
 * bytes have been written by such events. */
static void join_conflicting(pop *p, const late_event *late, uint32_t first) {
    const execution *e = execution_of(p);
    footprint f = late->operation.footprint;
    for (uint32_t i = 0, n = footprint_count(f); i < n; i++) {
        memory_access a = footprint_access(f, i);
        uint32_t at =
            execution_chain(e, late->real ? late->position : execution_length(e), i, a.object);
        uint8_t open = a.bytes;
        for (; at && open; at = execution_conflicting_link(e, at, a.mode)) {
            const access_link *link = &vector_at(&e->links, at - 1);
            if (link->position >= late->position || execution_before(e, first, link->position)) {
                continue;
            }
            if (link->bytes & open && (link->mode | a.mode) & ACCESS_WRITE) {
                clock_join(p->past.items, execution_clock(e, link->position), e->stride);
            }
            if (link->mode & ACCESS_WRITE) {
                open &= (uint8_t)~link->bytes;
            }
        }
    }
}

static void find_past(pop *p, const late_event *late, uint32_t first) {
    uint32_t stride = execution_of(p)->stride;
    vector_resize(&p->past, stride);
    for (uint32_t i = 0; i < stride; i++) {
        vector_at(&p->past, i) = 0;
    }
    join_base(p, late);
    join_conflicting(p, late, first);
}

/* Definition 6, with "marked" as in docs/ALGORITHMS.md. */
static bool is_fresh(const pop *p, const late_event *late, uint32_t first) {
    for (uint32_t i = p->path.limits.count; i-- > 0 && vector_at(&p->path.limits, i) > first;) {
        uint32_t position = vector_at(&p->path.limits, i);
        if (position < late->position && !in_past(p, position)) {
            return false;
        }
    }
    return true;
}

/* Line 6: σ without its head. */
static void find_schedule(pop *p, const late_event *late, uint32_t first) {
    vector_clear(&p->schedule);
    for (uint32_t i = first + 1; i < late->position; i++) {
        if (in_past(p, i)) {
            DEBUG_CHECK(!execution_before(execution_of(p), first, i));
            vector_push(&p->schedule, i);
        }
    }
}

/* ---- race reversal phase ---- */

/* E1.σ as an item, with its marks. */
static work_item *make_item(pop *p, uint32_t first, step head) {
    const execution *e = execution_of(p);
    work_item *item = item_new(&p->pool, p->item, first);
    for (uint32_t i = 0; i < p->schedule.count; i++) {
        uint32_t position = vector_at(&p->schedule, i);
        const event *of = execution_event(e, position);
        uint8_t marks = MARK_SCHEDULE | (vector_at(&p->path.marks, position) & MARK_LIMIT);
        for (uint32_t j = 0; j < p->accepted.count; j++) {
            marks |= vector_at(&p->accepted, j) == position ? MARK_LIMIT : 0;
        }
        item_add(item, (step){of->thread, of->choice}, marks);
    }
    item_add(item, head, MARK_SCHEDULE | MARK_HEAD | MARK_LIMIT);
    return item;
}

/* Lines 7-12 for one alternative of the late event in its new place. */
static void push_schedule(pop *p, const late_event *late, uint32_t first, const operation *op,
                          uint32_t alternative) {
    const execution *e = execution_of(p);
    step next = {late->thread, operation_choice(op, alternative)};
    DEBUG_CHECK(alternative < operation_alternatives(op));
    DEBUG_CHECK(vector_at(&p->past, late->thread) <= late->index + 1);
    vector_at(&p->past, late->thread) = late->index + 1;
    pop_condition condition;
    tree_event head = {.thread = late->thread,
                       .index = late->index,
                       .choice = next.choice,
                       .kind = op->kind,
                       .compare = op->compare,
                       .footprint = op->footprint,
                       .expected = op->expected,
                       .clock = p->past.items,
                       .condition = pop_condition_of_head(&condition, p, first, late->thread, op)};
    footprint base = execution_event(e, first)->footprint;
    bool several = footprint_count(op->footprint) > 1, several_base = false;
    bool phantom = !pop_pass_sleep_sets(p, first, op, &head, &several_base);
    bool sleeps = !pop_overwrites(op, base);
    if (phantom && !several && !several_base) {
        pop_check_schedule(p, late, first, &head, NULL, phantom, sleeps);
        return;
    }
    bool keeps = sleeps || operation_has_role(op->kind, ROLE_COMPARES); /* rule B4 */
    sleep_tree *tree = keeps ? pop_make_tree(p, late, first, &head) : NULL;
    work_item *item = make_item(p, first, next);
    item->phantom = phantom;
    item->head_races = alternative == 0;
    pop_check_schedule(p, late, first, &head, item, phantom, sleeps);
    item->record = pop_record_head(p, tree, sleeps, &head);
    put_item(p, item);
}

/* Lines 4-12 for one race: Definition 7, then σ. False: there is no race, because the second event
 * could not happen before the first. */
static bool reverse(pop *p, const late_event *late, uint32_t first) {
    bool parsimonious = !(vector_at(&p->path.marks, first) & MARK_SCHEDULE);
    bool blocks = operation_blocks(&late->operation);
    if (!parsimonious && !blocks) {
        return true;
    }
    CHECK(first < late->position &&
          execution_event(execution_of(p), first)->thread != late->thread);
    find_past(p, late, first);
    DEBUG_CHECK(!in_past(p, first));
    parsimonious = parsimonious && is_fresh(p, late, first);
    if (!parsimonious && !blocks) {
        return true;
    }
    find_schedule(p, late, first);
    operation op = late->operation;
    if (op.flags & OPERATION_VARIES) {
        const operation *there = exploration_probe_events(
            p->base.exploration, first, p->schedule.items, p->schedule.count, late->thread);
        if (!there || !operation_enabled(there) ||
            !footprint_conflict(execution_event(execution_of(p), first)->footprint,
                                there->footprint)) {
            return false;
        }
        op = *there;
        late_event moved = *late;
        moved.operation.footprint = op.footprint;
        find_past(p, &moved, first);
        join_causes(p, &op, operation_fixed_causes(&op), op.cause_count);
    }
    for (uint32_t i = parsimonious ? operation_alternatives(&op) : 0; i-- > 0;) {
        push_schedule(p, late, first, &op, i);
    }
    return true;
}

/* An event that the step could have preceded covers what happens before it. */
static bool is_covered(const pop *p, uint32_t position) {
    for (uint32_t i = 0; i < p->accepted.count; i++) {
        if (execution_before(execution_of(p), position, vector_at(&p->accepted, i))) {
            return true;
        }
    }
    return false;
}

/* For a step that blocks, race_find returns the events that it conflicts with, the latest first. It
 * races with those before which it could have continued, regardless of what is between. */
static void reverse_all(pop *p, const late_event *late) {
    race_find(execution_of(p), late->real ? late->position : execution_length(execution_of(p)),
              late->thread, &late->operation, &p->races);
    bool blocks = operation_blocks(&late->operation);
    vector_clear(&p->accepted);
    for (uint32_t i = 0; !blocks && i < p->races.count; i++) {
        vector_push(&p->accepted, vector_at(&p->races, i));
    }
    for (uint32_t i = 0; i < p->races.count; i++) {
        uint32_t first = vector_at(&p->races, i);
        if (!(blocks && is_covered(p, first)) && reverse(p, late, first) && blocks) {
            vector_push(&p->accepted, first);
        }
    }
}

/* A timed waiter that was woken, and locks its mutex again as event `relock` of its thread, could
 * have timed out instead: a time-out that did not occur races with the event that woke it. It is
 * considered once, when the execution has both that event and the waiter's unlock. */
static void reverse_waking(pop *p, uint32_t thread, uint32_t relock, cause waker, uint32_t from) {
    const execution *e = execution_of(p);
    uint32_t first = execution_position(e, waker.thread, waker.events - 1);
    uint32_t unlock = execution_position(e, thread, relock - 1);
    uint32_t later = first > unlock ? first : unlock;
    if (later < from || execution_before(e, first, unlock)) {
        return;
    }
    late_event late = {later + 1, thread, relock, false,
                       operation_timeout(execution_event(e, first)->footprint)};
    vector_clear(&p->accepted);
    vector_push(&p->accepted, first);
    reverse(p, &late, first);
}

/* The second event as it takes part in races: a re-lock varies only in that it might not occur at
 * all, which reverse_waking handles. */
static void reverse_step(pop *p, late_event late, uint32_t from) {
    operation *op = &late.operation;
    if (op->flags & OPERATION_ACQUIRES && op->flags & OPERATION_VARIES) {
        op->flags &= (uint8_t)~OPERATION_VARIES;
        reverse_waking(p, late.thread, late.index, op->causes[op->cause_count - 1], from);
    }
    if (op->footprint != FOOTPRINT_EMPTY) {
        reverse_all(p, &late);
    }
}

/* The event is the second event of no race. */
static bool races_with_nothing(const event *of) {
    return of->footprint == FOOTPRINT_EMPTY || (!of->meets && !(of->flags & OPERATION_VARIES));
}

/* For debug builds. */
static uint32_t count_races(pop *p, uint32_t position) {
    const execution *e = execution_of(p);
    operation op = execution_operation(e, position);
    race_find(e, position, execution_event(e, position)->thread, &op, &p->races);
    return op.footprint == FOOTPRINT_EMPTY ? 0 : p->races.count;
}

static void pop_ended(strategy *s, enum decision decision) {
    pop *p = (pop *)s;
    uint32_t before = p->items.count;
    uint32_t scripted = p->item->scripted;
    uint32_t from = scripted && p->item->head_races ? scripted - 1 : scripted;
    const execution *e = execution_of(p);
    vector_clear(&p->blocked.threads);
    if (decision != DECISION_NOTHING) {
        blocked_collect(&p->blocked, s->exploration);
    }
    for (uint32_t i = from; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        if (races_with_nothing(of)) {
            DEBUG_CHECK(!count_races(p, i));
            continue;
        }
        reverse_step(p, (late_event){i, of->thread, of->index, true, execution_operation(e, i)},
                     from);
    }
    for (uint32_t i = 0; i < p->blocked.threads.count; i++) {
        const blocked_thread *b = &vector_at(&p->blocked.threads, i);
        const operation *op = &b->operation;
        p->unsuited |= !pop_can_treat(s->exploration->target, op->kind, op->flags, op->footprint);
        uint32_t index = execution_thread_events(e, b->thread);
        reverse_step(p, (late_event){execution_length(e), b->thread, index, false, b->operation},
                     from);
    }
    item_list_sort(&p->items, before);
}

extern const strategy_class strategy_pop;
const strategy_class strategy_pop = {
    .name = "pop",
    .summary = "parsimonious-optimal DPOR: every trace once, in flat memory (CAV 2024)",
    .fallback = "optimal",
    .unsuited = "a step accesses different objects in different states, or polls under a mutex",
    .any_order = true,
    .size = sizeof(pop),
    .init = pop_init,
    .free = pop_free,
    .choose = pop_choose,
    .stepped = pop_stepped,
    .ended = pop_ended,
    .backtrack = pop_backtrack,
    .work = &pop_work,
};
