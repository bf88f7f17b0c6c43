/* Versions: what was written to a cell stays, so that later reads may return it (target.h,
 * keep_versions). The cell itself holds the latest version. Versions are no part of the states that
 * snapshots keep; a log says what to take out again. */
#include "targets/abstract/interpreter_race.h"
#include "targets/abstract/interpreter_state.h"

#include <string.h>

static version_list *versions_of(interpreter *m, uint32_t cell) {
    return &vector_at(&m->versions, cell);
}

static message_list *messages_of(interpreter *m, uint32_t cell) {
    return &vector_at(&m->version_messages, cell);
}

void model_free_versions(interpreter *m) {
    for (uint32_t i = 0; i < m->versions.count; i++) {
        vector_free(&vector_at(&m->versions, i));
        vector_free(&vector_at(&m->version_messages, i));
    }
    vector_free(&m->versions);
    vector_free(&m->version_messages);
    vector_free(&m->version_clocks);
    vector_free(&m->version_notes);
}

void model_keep_versions(target *target, bool keep) {
    interpreter *m = (interpreter *)target;
    model_free_versions(m);
    for (uint32_t i = 0; keep && i < m->program->cells.count; i++) {
        vector_push(&m->versions, (version_list){0});
        vector_push(versions_of(m, i), ((const int64_t *)m->initial)[i]);
        vector_push(&m->version_messages, (message_list){0});
        vector_push(messages_of(m, i), NO_MESSAGE);
    }
    m->keeps_versions = m->base.versions = keep;
}

void model_undo_versions(interpreter *m, uint32_t length) {
    while (m->version_notes.count && vector_last(&m->version_notes).length > length) {
        version_note note = vector_pop(&m->version_notes);
        version_list *list = versions_of(m, note.cell);
        vector_remove(list, note.index, 1);
        vector_remove(messages_of(m, note.cell), note.index, 1);
        m->version_clocks.count = note.messages;
    }
}

/* The second and third step of a wait are about the mutex. */
static uint32_t cell_of(const interpreter *m, uint32_t t) {
    const thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    return kind == OPERATION_WAIT_UNLOCK || kind == OPERATION_RELOCK ? thread->mutex : thread->cell;
}

static bool begins_or_ends(enum operation_kind kind) {
    return kind == OPERATION_INIT || kind == OPERATION_DESTROY;
}

/* An atomic access of one cell; or of a mutex a lock, an unlock, the beginning or end of its life.
 */
static bool is_versioned(const interpreter *m, uint32_t t) {
    const operation *op = &m->threads[t].operation;
    if (program_is_plain(m->program, model_current(m, t))) {
        return false;
    }
    if (operation_is_access(op->kind)) {
        return !footprint_is_set(op->footprint);
    }
    bool used =
        operation_has_role(op->kind, ROLE_TAKES | ROLE_RELEASES) || begins_or_ends(op->kind);
    return used && vector_at(&m->program->cells, cell_of(m, t)).kind == CELL_MUTEX;
}

/* What it reads need not be the latest: locks and unlocks come one right after the other. */
static bool chooses_version(enum operation_kind kind) {
    return operation_is_access(kind) || operation_has_role(kind, ROLE_TRIES) ||
           begins_or_ends(kind);
}

/* An attempt that succeeds, or changes nothing, in the order of the graph; in a loop it waits. */
static void offer_attempt(interpreter *m, uint32_t t) {
    operation *op = &m->threads[t].operation;
    if (model_may_spin(m, t)) {
        op->flags |= OPERATION_SPINS;
        model_set_enabled(op, !model_waits(&m->base, t, (uint64_t)m->cells[m->threads[t].cell]));
    }
}

void model_offer_versions(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    if (!thread->broken && model_may_fail(model_current(m, t)->kind)) {
        offer_attempt(m, t);
        return;
    }
    if (thread->broken || !is_versioned(m, t)) {
        return;
    }
    if (op->kind == OPERATION_LOCK && operation_enabled(op) && model_may_spin(m, t) &&
        model_waits(&m->base, t, 0)) {
        op->flags |= OPERATION_SPINS;
        model_set_enabled(op, false);
    }
    if (!chooses_version(op->kind)) {
        return;
    }
    const version_list *list = versions_of(m, thread->cell);
    bool spins = model_may_spin(m, t);
    uint64_t latest = (uint64_t)vector_last(list);
    op->choice_count = list->count;
    op->choices = NULL;
    op->flags |= spins ? OPERATION_SPINS : 0;
    bool holds =
        op->kind != OPERATION_AWAIT || operation_compare_holds(op->compare, latest, op->expected);
    model_set_enabled(op, holds && !(spins && model_waits(&m->base, t, latest)));
}

/* To what is no variable; its cell names who holds a mutex, or writes. False: an error, because the
 * thread waits or unlocks without holding the mutex. */
static bool written_to_sync(const interpreter *m, uint32_t t, uint64_t old, uint64_t *value) {
    const thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    if (operation_table[kind].effect == MAKES_UNKNOWN) {
        return false;
    }
    bool mutex = vector_at(&m->program->cells, thread->cell).kind == CELL_MUTEX;
    uint64_t state = mutex && old != OPERATION_DESTROYED ? old != 0 : old;
    CHECK(operation_makes(kind, t, state, value));
    if (mutex && *value == 1) {
        *value = state ? old : t + 1;
    } else if (operation_table[kind].effect == MAKES_WRITTEN && !old) {
        *value = (uint64_t)(-(int64_t)t - 1);
    }
    return (kind != OPERATION_WAIT || model_owns(m, t, thread->mutex)) &&
           (kind != OPERATION_UNLOCK || !mutex || model_owns(m, t, thread->cell));
}

bool model_written(target *target, uint32_t t, uint64_t old, uint64_t *value) {
    const interpreter *m = (const interpreter *)target;
    const thread_state *thread = &m->threads[t];
    switch ((enum operation_kind)thread->operation.kind) {
        case OPERATION_EXCHANGE:
        case OPERATION_WRITE: *value = (uint64_t)thread->a; return true;
        case OPERATION_ADD: *value = old + (uint64_t)thread->a; return true;
        case OPERATION_CAS: *value = (uint64_t)thread->b; return true;
        default: break;
    }
    return written_to_sync(m, t, old, value);
}

uint64_t model_initial(target *target, uint32_t t) {
    const interpreter *m = (const interpreter *)target;
    return (uint64_t)((const int64_t *)m->initial)[cell_of(m, t)];
}

static bool has_written(const interpreter *m, uint32_t t, enum operation_kind kind, int64_t old,
                        uint32_t cell) {
    bool tries = operation_has_role(kind, ROLE_TRIES);
    if (begins_or_ends(kind) || (operation_has_role(kind, ROLE_TAKES) && !tries)) {
        return true; /* in error as well */
    }
    if (!operation_is_access(kind)) {
        return m->cells[cell] != old; /* of a mutex: unless it failed */
    }
    return operation_has_role(kind, ROLE_COMPARES) ? old == m->threads[t].a
                                                   : operation_has_role(kind, ROLE_WRITES);
}

static void insert(interpreter *m, uint32_t cell, uint32_t index, int64_t value, uint32_t message,
                   uint32_t messages) {
    version_list *list = versions_of(m, cell);
    vector_insert(list, index, value);
    vector_insert(messages_of(m, cell), index, message);
    vector_push(&m->version_notes, (version_note){m->length + 1, cell, index, messages});
}

/* What an access of memory orders, with the version that it read or came after. Returns where its
 * own message is. */
static uint32_t order_access(interpreter *m, uint32_t t, uint32_t cell, uint32_t index,
                             bool writes) {
    const operation *op = &m->threads[t].operation;
    bool fails = operation_has_role(op->kind, ROLE_COMPARES) && !writes;
    versioned_access a = {.reads = operation_has_role(op->kind, ROLE_READS),
                          .writes = writes,
                          .order = fails ? op->failure : op->order,
                          .message = vector_at(messages_of(m, cell), index)};
    return m->races && operation_is_access(op->kind) ? m->detector->version(m, t, &a) : NO_MESSAGE;
}

bool model_take_version(interpreter *m, uint32_t t, uint32_t choice, step_result *result,
                        spin_step *taken) {
    thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    uint32_t cell = cell_of(m, t);
    if (!m->keeps_versions || !is_versioned(m, t)) {
        bool cells = cell < m->program->cells.count;
        taken->before = cells ? m->cells[cell] : 0;
        bool passed = model_take(m, t, choice, result);
        taken->after = cells ? m->cells[cell] : 0;
        return passed;
    }
    const version_list *list = versions_of(m, cell);
    uint32_t index = list->count - 1 - (choice == CHOICE_NONE ? 0 : choice);
    int64_t old = vector_at(list, index);
    m->cells[cell] = old;
    bool over = model_take(m, t, choice, result);
    taken->before = old;
    taken->after = m->cells[cell];
    bool written = has_written(m, t, kind, old, cell);
    uint32_t messages = m->version_clocks.count, message = order_access(m, t, cell, index, written);
    if (written) {
        insert(m, cell, index + 1, m->cells[cell], message, messages);
    }
    m->cells[cell] = vector_last(versions_of(m, cell));
    return over;
}

void model_change_order(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    bool covers = access_order_covers_failure(op->order, op->failure);
    thread->fences = false;
    for (uint32_t i = 0; i < m->changes.count; i++) {
        order_change c = vector_at(&m->changes, i);
        if (c.location != op->location || (c.fence && thread->fenced)) {
            continue;
        }
        if (c.fence) {
            *op = (operation){.kind = OPERATION_FENCE,
                              .flags = OPERATION_ENABLED,
                              .order = c.order,
                              .failure = c.order,
                              .location = op->location,
                              .causes = op->causes,
                              .cause_count = op->cause_count};
            thread->fences = true;
            return;
        }
        enum access_order failing = c.failure ? c.order : access_order_failing(c.order);
        if (!c.failure) {
            op->order = (uint8_t)access_order_join(op->order, c.order);
        }
        if (c.failure || covers) {
            op->failure = (uint8_t)access_order_join(op->failure, failing);
        }
    }
}
