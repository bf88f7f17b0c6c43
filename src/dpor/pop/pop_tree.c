#include "dpor/pop/pop.h"
#include "dpor/pop/pop_spin.h"

/* Rule B3: the head writes everything that the base accesses. An acquisition counts as a write of
 * the whole lock: what else conflicts with the base comes after another acquisition (a release for
 * reading). */
bool pop_overwrites(const operation *head, footprint base) {
    bool takes = operation_has_role(head->kind, ROLE_TAKES);
    for (uint32_t i = 0, n = footprint_count(base); i < n; i++) {
        memory_access wanted = footprint_access(base, i);
        for (uint32_t j = 0, m = footprint_count(head->footprint); j < m; j++) {
            memory_access a = footprint_access(head->footprint, j);
            if (a.object == wanted.object && a.mode & ACCESS_WRITE) {
                wanted.bytes &= takes ? 0 : (uint8_t)~a.bytes;
            }
        }
        if (wanted.bytes) {
            return false;
        }
    }
    return true;
}

static tree_event tree_event_at(pop *p, uint32_t position, pop_condition *condition) {
    const execution *e = execution_of(p);
    const event *of = execution_event(e, position);
    return (tree_event){.thread = of->thread,
                        .index = of->index,
                        .choice = of->choice,
                        .kind = of->kind,
                        .compare = of->compare,
                        .footprint = of->footprint,
                        .expected = of->expected,
                        .clock = execution_clock(e, position),
                        .condition = pop_condition_of_event(condition, p, position)};
}

/* Lines 7-8, for one tree: a copy updated with σ, or NULL if σ completes a forbidden schedule. */
static sleep_tree *advance_over_schedule(pop *p, const sleep_tree *tree, const tree_event *head) {
    sleep_tree *copy = tree_copy(&p->pool.trees, tree);
    pop_condition condition;
    for (uint32_t i = 0; i < p->schedule.count; i++) {
        tree_event g = tree_event_at(p, vector_at(&p->schedule, i), &condition);
        if (tree_update(copy, &g)) {
            tree_release(&p->pool.trees, copy);
            return NULL;
        }
    }
    if (tree_update(copy, head)) {
        tree_release(&p->pool.trees, copy);
        return NULL;
    }
    return copy;
}

/* Steps that only read change nothing relevant in a quiet tree: whether it forbids σ is known
 * without a copy. Only the head of σ can complete anything, as the other steps do not conflict with
 * the base. */
static bool schedule_is_quiet(const pop *p, const operation *op, uint32_t choice) {
    const execution *e = execution_of(p);
    bool quiet = tree_step_is_quiet(op->flags, choice, op->footprint);
    for (uint32_t i = 0; i < p->schedule.count && quiet; i++) {
        const event *of = execution_event(e, vector_at(&p->schedule, i));
        quiet = tree_step_is_quiet(of->flags, of->choice, of->footprint);
    }
    return quiet;
}

/* ---- asking ---- */

static void wake_all(pop *p) {
    while (p->asleep.count) {
        tree_release(&p->pool.trees, vector_pop(&p->asleep).tree);
    }
}

/* One tree; false if σ is blocked. */
static bool pass_tree(pop *p, sleep_tree *tree, bool quiet, const operation *op,
                      const tree_event *head) {
    bool shared = quiet && tree->quiet;
    sleep_tree *passed = NULL;
    if (!shared) {
        passed = advance_over_schedule(p, tree, head);
    } else if (!tree_forbids(tree, head)) {
        passed = tree_share(tree);
    }
    if (!passed) {
        return false;
    }
    if (pop_overwrites(op, tree->base_footprint)) {
        tree_release(&p->pool.trees, passed); /* everything that it forbids comes after the head */
    } else {
        vector_push(&p->asleep, (sleeping_tree){passed, shared});
    }
    return true;
}

/* The latest tree is queried first: what forbids one schedule of a run usually forbids the next
 * one, too, so that few trees are copied needlessly. p->asleep has them in that order. */
bool pop_pass_sleep_sets(pop *p, uint32_t first, const operation *op, const tree_event *head,
                         bool *several) {
    vector_clear(&p->asleep);
    const head_record *record = first && vector_at(&p->path.marks, first - 1) & MARK_HEAD
                                    ? path_record(&p->path, first - 1)
                                    : NULL;
    uint32_t count = record ? record->asleep.count : 0;
    bool quiet = count && schedule_is_quiet(p, op, head->choice);
    for (uint32_t i = count; i-- > 0;) {
        sleep_tree *tree = vector_at(&record->asleep, i);
        const event *base = execution_event(execution_of(p), first);
        if (tree->base_thread != base->thread || tree->base_index != base->index) {
            CHECK(p->took_bytes);
            p->foreign = true; /* the copy will not be used */
            return true;
        }
        if (!pass_tree(p, tree, quiet, op, head)) {
            *several = footprint_count(tree->base_footprint) > 1;
            wake_all(p);
            return false;
        }
    }
    return true;
}

/* A tree that is shared need not be copied if the new tree covers it. */
static sleep_tree *catch_up(pop *p, sleeping_tree s, const sleep_tree *latest,
                            const tree_event *head) {
    if (!s.shared) {
        return s.tree;
    }
    bool covered = latest && tree_is_covered(s.tree, latest, head);
    sleep_tree *advanced = covered ? NULL : advance_over_schedule(p, s.tree, head);
    CHECK(covered || advanced);
    tree_release(&p->pool.trees, s.tree);
    return advanced;
}

head_record *pop_record_head(pop *p, sleep_tree *tree, bool sleeps, const tree_event *head) {
    if (!tree && !p->asleep.count) {
        return NULL;
    }
    head_record *record = record_new(&p->pool);
    record->tree = tree;
    while (p->asleep.count) {
        sleep_tree *kept = catch_up(p, vector_pop(&p->asleep), sleeps ? tree : NULL, head);
        if (kept) {
            vector_push(&record->asleep, kept);
        }
    }
    if (sleeps) {
        vector_push(&record->asleep, tree_share(tree));
    }
    return record;
}

/* ---- building ---- */

/* The tree of a schedule in E2, as the new one inherits it: updated with the part of σ that comes
 * after it, including the head (correction P6). */
static sleep_tree *inherit(pop *p, uint32_t position, const tree_event *head) {
    const head_record *record = path_record(&p->path, position);
    if (!record || !record->tree) {
        return NULL;
    }
    sleep_tree *copy = tree_copy(&p->pool.trees, record->tree);
    pop_condition condition;
    for (uint32_t i = 0; i < p->schedule.count; i++) {
        if (vector_at(&p->schedule, i) > position) {
            tree_event g = tree_event_at(p, vector_at(&p->schedule, i), &condition);
            tree_advance(copy, &g);
        }
    }
    tree_advance(copy, head);
    return copy;
}

static void add_values(pop *p, sleep_tree *tree, uint32_t first) {
    const execution *e = execution_of(p);
    const event *base = execution_event(e, first);
    uint32_t count = p->base.exploration->records_values ? footprint_count(base->footprint) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const access_link *link = &vector_at(&e->links, base->first_link + i);
        tree_add_value(tree, link->object, vector_at(&e->values, base->first_link + i).after);
    }
}

/* The values that the objects of an event held before it, for awaits. */
static void add_before(pop *p, sleep_tree *tree, bool base, uint32_t position) {
    const execution *e = execution_of(p);
    const event *of = execution_event(e, position);
    uint32_t count = p->base.exploration->records_values ? footprint_count(of->footprint) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const access_link *link = &vector_at(&e->links, of->first_link + i);
        if (link->mode & ACCESS_WRITE || p->base.exploration->target->spins) {
            uint64_t before = vector_at(&e->values, of->first_link + i).before;
            tree_add_before(tree, base, link->object, before);
        }
    }
}

/* What a step of a spin loop that is blocked at the end would access just before the base. */
static footprint before_base(const sleep_tree *tree, const operation *op) {
    for (uint32_t i = 0; op->flags & OPERATION_SPINS && i < tree->before.count; i++) {
        const tree_value *v = &vector_at(&tree->before, i);
        if (v->item == TREE_BASE && v->object == (uint32_t)op->footprint) {
            return tree_footprint_at(op->kind, op->footprint, op->expected, v->value);
        }
    }
    return op->footprint;
}

/* The late event itself closes the tree (corrections P4 and B1, B2). */
static void close_tree(pop *p, sleep_tree *tree, const late_event *late, uint32_t first) {
    if (late->real && vector_at(&p->path.marks, late->position) & MARK_HEAD) {
        const head_record *record = path_record(&p->path, late->position);
        sleep_tree *own = record && record->tree ? tree_copy(&p->pool.trees, record->tree) : NULL;
        if (own) {
            add_values(p, own, first);
        }
        tree_add_part(tree, late->thread, late->index, own);
        return;
    }
    event item = {
        .thread = late->thread,
        .index = late->index,
        .choice =
            late->real ? execution_event(execution_of(p), late->position)->choice : CHOICE_NONE,
        .flags = late->operation.flags,
        .footprint = late->real ? late->operation.footprint : before_base(tree, &late->operation)};
    if (late->real) {
        tree_add_item(tree, &item);
        add_before(p, tree, false, late->position);
    } else {
        tree_add_blocked(tree, &item);
    }
}

static bool spins_and_writes(const operation *op, footprint f) {
    CHECK(!(op->flags & OPERATION_SPINS) || footprint_count(f) == 1);
    return op->flags & OPERATION_SPINS && footprint_access(f, 0).mode & ACCESS_WRITE;
}

/* Steps that are still blocked at the end come after everything, in the order of the threads. */
static void add_earlier_blocked(pop *p, sleep_tree *tree, const late_event *late) {
    for (uint32_t i = 0; !late->real && i < p->blocked.threads.count; i++) {
        const blocked_thread *other = &vector_at(&p->blocked.threads, i);
        footprint f = before_base(tree, &other->operation);
        if (operation_blocks(&other->operation) && other->thread < late->thread &&
            !spins_and_writes(&other->operation, f)) {
            event item = {.thread = other->thread,
                          .index = execution_thread_events(execution_of(p), other->thread),
                          .choice = CHOICE_NONE,
                          .footprint = f};
            tree_add_blocked(tree, &item);
        }
    }
}

sleep_tree *pop_make_tree(pop *p, const late_event *late, uint32_t first, const tree_event *head) {
    const execution *e = execution_of(p);
    sleep_tree *tree = tree_new(&p->pool.trees, e->stride);
    tree_set_base(tree, execution_event(e, first));
    add_values(p, tree, first);
    add_before(p, tree, true, first);
    tree_add_related(tree, late->thread, late->index);
    for (uint32_t i = first + 1; i < late->position; i++) {
        const event *of = execution_event(e, i);
        if (vector_at(&p->path.marks, i) & MARK_HEAD) {
            tree_add_part(tree, of->thread, of->index, inherit(p, i, head));
        } else if (!(vector_at(&p->path.marks, i) & MARK_SCHEDULE) && !in_past(p, i)) {
            tree_add_item(tree, of);
            add_before(p, tree, false, i);
        }
    }
    add_earlier_blocked(p, tree, late);
    close_tree(p, tree, late, first);
    DEBUG_INVARIANT(tree_check(tree));
    return tree;
}
