#include "targets/abstract/interpreter.h"

#include <stdio.h>
#include <string.h>

#include "targets/abstract/interpreter_race.h"
static interpreter *of(target *target) {
    return (interpreter *)target;
}

static void restart(interpreter *m) {
    for (uint32_t t = 0; m->mailboxes && t < m->program->threads.count; t++) {
        mailbox_clear(&m->mailboxes[t], m->messages);
    }
    memcpy(m->state, m->initial, m->front_size);
}

static void interpreter_reset(target *target) {
    interpreter *m = of(target);
    restart(m);
    m->base.resets++;
    m->length = snapshots_back(&m->snapshots, m->state, m->state_size, 0);
    model_undo_versions(m, 0);
    m->strayed = false;
}

static uint32_t interpreter_back(target *target, uint32_t length) {
    interpreter *m = of(target);
    if (!m->strayed && m->length == length) {
        return length;
    }
    m->length = snapshots_back(&m->snapshots, m->state, m->state_size, length);
    model_undo_versions(m, m->length);
    m->strayed = false;
    if (!m->length) {
        restart(m);
    }
    return m->length;
}

static void start_threads(interpreter *m);

/* If plain accesses are steps, threads are elsewhere at the start. */
static void interpreter_treat_accesses(target *target, enum target_accesses treatment) {
    interpreter *m = of(target);
    if (!m->races && !m->base.spins) {
        return;
    }
    m->treatment = m->races ? treatment : m->treatment; /* spin loops may have been learnt since */
    start_threads(m);
    interpreter_reset(target);
}

static void interpreter_change_orders(target *target, const order_change *changes, uint32_t count) {
    interpreter *m = of(target);
    vector_assign(&m->changes, changes, count);
    start_threads(m);
    interpreter_reset(target);
}

/* Work from another process may have brought this knowledge since. */
static bool interpreter_promote(target *target) {
    interpreter *m = of(target);
    bool any = m->promotions && memcmp(m->promoted, m->wanted, m->location_count) != 0;
    m->promotions = 0;
    memcpy(m->promoted, m->wanted, m->location_count);
    return any;
}

/* Number i of the accesses that are steps because they race. */
static bool interpreter_describe_shared(target *target, uint32_t i, FILE *out) {
    const interpreter *m = of(target);
    for (uint32_t location = 0; location < m->location_count; location++) {
        if (m->promoted[location] && i-- == 0) {
            fprintf(out, "promoted %u", location);
            return true;
        }
    }
    for (uint32_t location = 0; location < m->location_count; location++) {
        if (m->spins[location] && i-- == 0) {
            fprintf(out, "spins %u", location);
            return true;
        }
    }
    if (m->keeps_versions && i == 0) {
        fputs("versions", out);
        return true;
    }
    return false;
}

bool interpreter_is_promoted(const target *target, uint32_t location) {
    return ((const interpreter *)target)->promoted[location];
}

bool interpreter_expect_shared(target *target, const char *text) {
    interpreter *m = of(target);
    uint32_t location;
    if (strcmp(text, "versions") == 0) {
        model_keep_versions(target, true);
        return true;
    }
    if (sscanf(text, "spins %u", &location) == 1 && location < m->location_count) {
        m->spins[location] = m->base.spins = true;
        return true;
    }
    if (sscanf(text, "promoted %u", &location) != 1 || location >= m->location_count) {
        return false;
    }
    m->promoted[location] = m->wanted[location] = true;
    return true;
}

/* The errors of a list as a chain, or NULL. */
static const program_error *chain(failure_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        failure *f = &vector_at(list, i);
        f->error.message = f->message;
        f->error.next = i + 1 < list->count ? &vector_at(list, i + 1).error : NULL;
    }
    return list->count ? &vector_at(list, 0).error : NULL;
}

static const program_error *interpreter_start_error(target *target, uint32_t i) {
    failure_list *list = &of(target)->start_failures;
    if (i >= list->count) {
        return NULL;
    }
    vector_at(list, i).error.message = vector_at(list, i).message;
    return &vector_at(list, i).error;
}

static uint32_t interpreter_thread_count(target *target) {
    return of(target)->program->threads.count;
}

static const operation *interpreter_pending(target *target, uint32_t t) {
    interpreter *m = of(target);
    if (t >= m->program->threads.count || m->threads[t].status != THREAD_RUNS) {
        return NULL;
    }
    model_refresh(m, t);
    if (m->keeps_versions) {
        model_offer_versions(m, t);
    } else {
        m->rule->refresh(m, t);
    }
    return &m->threads[t].operation;
}

static uint64_t interpreter_value(target *target, uint32_t object) {
    const interpreter *m = of(target);
    return object < m->program->cells.count ? (uint64_t)m->cells[object] : 0;
}

static bool interpreter_opens(target *target, uint32_t t, uint64_t value) {
    return of(target)->rule->opens(of(target), t, (int64_t)value);
}

static void interpreter_step(target *target, uint32_t t, uint32_t choice, step_result *result) {
    interpreter *m = of(target);
    thread_state *thread = &m->threads[t];
    spin_step taken = {.kind = thread->operation.kind,
                       .cell = thread->cell,
                       .passing = thread->operation.flags & OPERATION_PASSING};
    *result = (step_result){0};
    vector_clear(&m->failures);
    m->spin_wrote = false;
    thread->events++;
    uint8_t order = thread->operation.order, failure = thread->operation.failure;
    thread->passed = thread->operation.flags & OPERATION_PASSING ? thread->passed : 0;
    if (thread->broken) {
        model_resolve(m, t, &model_current(m, t)->cell, &thread->cell);
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
    } else {
        m->born = 0;
        thread->pc += model_take_version(m, t, choice, result, &taken);
        bool fenced = thread->fences;
        thread->fenced = fenced;
        bool fails = taken.kind == OPERATION_CAS && !result->value;
        bool access = taken.kind <= OPERATION_AWAIT || taken.kind == OPERATION_MODIFY;
        m->base.weakly |= access && (fails ? failure : order) != ORDER_SEQ_CST;
        model_advance(m, t);
        taken.acquired = result->acquired;
        if (!fenced) { /* it is before the same instruction */
            m->rule->note_step(m, t, &taken);
        }
        if (m->born) {
            model_advance(m, m->born - 1);
            model_note_start(m, m->born - 1);
        }
    }
    result->error = chain(&m->failures);
    m->length++;
    if (!m->strayed) {
        snapshots_take(&m->snapshots, m->state, m->state_size, m->length);
    }
}

static enum target_ending interpreter_ending(target *target) {
    interpreter *m = of(target);
    uint32_t seen[THREAD_FAILED + 1] = {0};
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        seen[m->threads[t].status]++;
    }
    enum target_ending stuck = seen[THREAD_RUNS] ? m->rule->judge(m) : ENDING_COMPLETE;
    if (stuck == ENDING_ARTIFACT) {
        return ENDING_ARTIFACT;
    }
    if (seen[THREAD_ASSUMED]) {
        return ENDING_ASSUME_BLOCKED;
    }
    return seen[THREAD_FAILED] ? ENDING_COMPLETE : stuck;
}

static size_t interpreter_state_size(target *target) {
    return of(target)->state_size;
}

static void interpreter_save(target *target, void *state) {
    memcpy(state, of(target)->state, of(target)->state_size);
}

static void interpreter_restore(target *target, const void *state) {
    memcpy(of(target)->state, state, of(target)->state_size);
    of(target)->strayed = true;
}

static void interpreter_describe_thread(target *target, uint32_t t, FILE *out) {
    fputs(vector_at(&of(target)->program->threads, t).name, out);
}

static void interpreter_describe_object(target *target, uint32_t object, FILE *out) {
    const interpreter *m = of(target);
    if (object < m->program->cells.count) {
        fputs(vector_at(&m->program->cells, object).name, out);
    } else {
        model_describe_name(m, object - m->program->cells.count, out);
    }
}

static const instruction *instruction_at(const interpreter *m, uint32_t location) {
    uint32_t t = m->program->threads.count;
    while (t-- > 0) {
        if (location >= m->first_location[t]) {
            const model_thread *thread = &vector_at(&m->program->threads, t);
            return &vector_at(&thread->code, location - m->first_location[t]);
        }
    }
    return NULL;
}

static bool interpreter_describe_location(target *target, uint32_t location, const char **file,
                                          uint32_t *line) {
    const instruction *in = instruction_at(of(target), location);
    if (in) {
        *file = of(target)->program->file;
        *line = in->line;
    }
    return in != NULL;
}

static uint32_t interpreter_describe_column(target *target, uint32_t location) {
    const instruction *in = instruction_at(of(target), location);
    return in ? in->column : 0;
}

static size_t tables_size(const program *p) {
    return (p->threads.count ? p->threads.count : 1) * sizeof(uint32_t);
}

static void interpreter_destroy(target *target) {
    interpreter *m = of(target);
    memory_resize(m->state, m->state_size, 0);
    memory_resize(m->initial, m->front_size, 0);
    model_free_sync(m);
    model_free_spins(m);
    memory_resize(m->first_location, tables_size(m->program), 0);
    memory_resize(m->waiters, tables_size(m->program), 0);
    memory_resize(m->section_varies, m->location_count, 0);
    memory_resize(m->promoted, m->location_count, 0);
    memory_resize(m->wanted, m->location_count, 0);
    vector_free(&m->touched);
    memory_resize(m->awaited, m->program->cells.count + 1, 0);
    memory_resize(m->writers, (m->program->cells.count + 1) * sizeof *m->writers, 0);
    snapshots_free(&m->snapshots);
    model_free_versions(m);
    vector_free(&m->changes);
    vector_free(&m->accesses);
    vector_free(&m->undo);
    vector_free(&m->united);
    choice_path_free(&m->path);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        vector_free(&m->choices[t]);
    }
    memory_resize(m->choices, (m->program->threads.count + 1) * sizeof *m->choices, 0);
    vector_free(&m->saved);
    vector_free(&m->kept.registers);
    vector_free(&m->kept.cells);
    vector_free(&m->failures);
    vector_free(&m->start_failures);
    vector_free(&m->tags);
    name_table_free(&m->names);
    liveness_free(&m->liveness);
    memory_resize(m, sizeof *m, 0);
}

static const target_class interpreter_class = {
    .reset = interpreter_reset,
    .back = interpreter_back,
    .start_error = interpreter_start_error,
    .thread_count = interpreter_thread_count,
    .pending = interpreter_pending,
    .step = interpreter_step,
    .ending = interpreter_ending,
    .value = interpreter_value,
    .opens = interpreter_opens,
    .keep_versions = model_keep_versions,
    .change_orders = interpreter_change_orders,
    .written = model_written,
    .initial = model_initial,
    .waits = model_waits,
    .state_size = interpreter_state_size,
    .save = interpreter_save,
    .restore = interpreter_restore,
    .equal = interpreter_equal,
    .equal_thread = interpreter_equal_thread,
    .names = &interpreter_names,
    .treat_accesses = interpreter_treat_accesses,
    .promote = interpreter_promote,
    .describe_shared = interpreter_describe_shared,
    .describe_thread = interpreter_describe_thread,
    .describe_object = interpreter_describe_object,
    .describe_location = interpreter_describe_location,
    .describe_column = interpreter_describe_column,
    .destroy = interpreter_destroy,
};

/* The state at the start: every thread is before its first operation. */
static void start_threads(interpreter *m) {
    const program *p = m->program;
    uint32_t registers = 0;
    memset(m->state, 0, (size_t)((char *)m->races_end - m->state));
    for (uint32_t i = 0; i < p->cells.count; i++) {
        const cell *c = &vector_at(&p->cells, i);
        m->cells[i] = c->kind == CELL_BARRIER ? 0 : c->initial;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        m->threads[t].first_register = registers;
        registers += vector_at(&p->threads, t).register_count;
    }
    vector_clear(&m->failures);
    vector_clear(&m->start_failures);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (vector_at(&p->threads, t).starts) {
            m->threads[t].status = THREAD_RUNS;
            if (m->races) {
                m->detector->start(m, t);
            }
            model_advance(m, t);
            model_note_start(m, t);
        }
    }
    vector_append(&m->start_failures, m->failures.items, m->failures.count);
    memcpy(m->initial, m->state, m->front_size);
}

/* What does not depend on how accesses are treated: the cells, the places of code and registers of
 * threads. */
static void prepare(interpreter *m) {
    const program *p = m->program;
    m->section_varies = memory_resize(NULL, 0, m->location_count);
    m->awaited = memory_resize(NULL, 0, p->cells.count + 1);
    m->writers = memory_resize(NULL, 0, (p->cells.count + 1) * sizeof *m->writers);
    m->promoted = memory_resize(NULL, 0, m->location_count);
    m->wanted = memory_resize(NULL, 0, m->location_count);
    model_classify_sections(m);
    model_find_awaited(m);
}

/* The parts of the state, and its size. */
static void plan_state(interpreter *m) {
    const program *p = m->program;
    bool messages = program_has_messages(p);
    VECTOR(mailbox) mailboxes = {0};
    vector_resize(&mailboxes, p->threads.count + 1);
    memset(mailboxes.items, 0, mailboxes.count * sizeof *mailboxes.items);
    size_t slots = messages ? mailbox_plan(p, mailboxes.items) : 0;
    size_t registers = 1;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        registers += vector_at(&p->threads, t).register_count;
    }
    size_t cells_size = p->cells.count * sizeof *m->cells;
    size_t threads_size = p->threads.count * sizeof *m->threads;
    size_t registers_size = registers * sizeof *m->registers;
    size_t records_size = model_plan_spins(m);
    size_t sync_size = model_plan_sync(m);
    size_t mailboxes_size = messages ? p->threads.count * sizeof *m->mailboxes : 0;
    size_t races_size = model_race_size(p);
    size_t sync_start = cells_size + threads_size + registers_size + records_size;
    size_t mail_start = sync_start + sync_size + races_size;
    m->front_size = mail_start + mailboxes_size;
    m->state_size = m->front_size + slots * sizeof *m->messages;
    m->state = memory_resize(NULL, 0, m->state_size);
    m->cells = (int64_t *)m->state;
    m->threads = (thread_state *)(m->state + cells_size);
    m->registers = (int64_t *)(m->state + cells_size + threads_size);
    m->records = m->registers + registers;
    m->sync = m->state + sync_start;
    m->races_end = m->state + mail_start;
    m->races = races_size ? m->races_end - races_size : NULL;
    if (messages) {
        m->mailboxes = (mailbox *)(m->state + mail_start);
        m->messages = (message *)(m->state + m->front_size);
        memcpy(m->mailboxes, mailboxes.items, mailboxes_size);
    }
    vector_free(&mailboxes);
}

target *interpreter_create(const program *p) {
    return interpreter_create_with(p, &interpreter_races, &interpreter_spins);
}

target *interpreter_create_with(const program *p, const race_detector *detector,
                                const spin_rule *rule) {
    interpreter *m = memory_resize(NULL, 0, sizeof *m);
    m->base.class = &interpreter_class;
    m->base.compares = program_has_comparisons(p);
    m->base.nameless = program_has_messages(p);
    m->base.mixed = program_mixes_plain(p);
    m->program = p;
    m->detector = detector;
    m->rule = rule;
    m->first_location = memory_resize(NULL, 0, tables_size(p));
    plan_state(m);
    m->waiters = memory_resize(NULL, 0, tables_size(p));
    m->choices = memory_resize(NULL, 0, (p->threads.count + 1) * sizeof *m->choices);
    m->initial = memory_resize(NULL, 0, m->front_size);
    prepare(m);
    start_threads(m);
    return &m->base;
}
