#include "oracle/recorder.h"

#include <inttypes.h>
#include <string.h>

#include "oracle/machine_sync.h"
#include "oracle/observed.h"
#include "oracle/races.h"
#include "targets/abstract/interpreter.h"

/* ---- one event ---- */

static const uint8_t operation_kinds[] = {
    [KIND_READ] = OPERATION_READ,
    [KIND_WRITE] = OPERATION_WRITE,
    [KIND_ADD] = OPERATION_ADD,
    [KIND_EXCHANGE] = OPERATION_EXCHANGE,
    [KIND_CAS] = OPERATION_CAS,
    [KIND_AWAIT] = OPERATION_AWAIT,
    [KIND_ATOMIC] = OPERATION_ATOMIC,
    [KIND_LOCK] = OPERATION_LOCK,
    [KIND_UNLOCK] = OPERATION_UNLOCK,
    [KIND_TRYLOCK] = OPERATION_TRYLOCK,
    [KIND_WAIT] = OPERATION_WAIT,
    [KIND_WAIT_UNLOCK] = OPERATION_WAIT_UNLOCK,
    [KIND_TIMEOUT] = OPERATION_TIMEOUT,
    [KIND_RELOCK] = OPERATION_RELOCK,
    [KIND_SIGNAL] = OPERATION_SIGNAL,
    [KIND_BROADCAST] = OPERATION_BROADCAST,
    [KIND_CHOOSE] = OPERATION_CHOOSE,
    [KIND_SPAWN] = OPERATION_SPAWN,
    [KIND_JOIN] = OPERATION_JOIN,
    [KIND_SEND] = OPERATION_SEND,
    [KIND_RECEIVE] = OPERATION_RECEIVE,
    [KIND_INIT] = OPERATION_INIT,
    [KIND_DESTROY] = OPERATION_DESTROY,
    [KIND_SEMAPHORE_WAIT] = OPERATION_SEMAPHORE_WAIT,
    [KIND_SEMAPHORE_TRY] = OPERATION_SEMAPHORE_TRY,
    [KIND_POST] = OPERATION_POST,
    [KIND_READ_LOCK] = OPERATION_READ_LOCK,
    [KIND_WRITE_LOCK] = OPERATION_WRITE_LOCK,
    [KIND_TRY_READ_LOCK] = OPERATION_TRY_READ_LOCK,
    [KIND_TRY_WRITE_LOCK] = OPERATION_TRY_WRITE_LOCK,
    [KIND_RELEASE] = OPERATION_UNLOCK,
    [KIND_ARRIVE] = OPERATION_ARRIVE,
    [KIND_LEAVE] = OPERATION_LEAVE,
    [KIND_ONCE] = OPERATION_ONCE,
    [KIND_ONCE_END] = OPERATION_ONCE_END,
};

static bool can_step(const machine *m, uint32_t thread, uint32_t choice) {
    uint32_t choices[MACHINE_CELLS];
    if (thread >= m->program->threads.count || !machine_enabled(m, thread)) {
        return false;
    }
    uint32_t count = machine_alternatives(m, thread, choices);
    for (uint32_t i = 0; i < count; i++) {
        if (choices[i] == choice) {
            return true;
        }
    }
    return false;
}

/* Mailboxes are no cells: what the accesses stand for is seen in the order of events only. */
static bool same_message_footprint(footprint f, const machine_event *e, uint32_t cell_count,
                                   bool blocks) {
    uint32_t count = 0, writes = 0, expected = 0;
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        if (!a.bytes) {
            continue; /* what a receive would take */
        }
        count++;
        writes += (a.mode & ACCESS_WRITE) != 0;
        if (a.object < cell_count || a.bytes != ACCESS_ALL_BYTES) {
            return false;
        }
    }
    if (e->receiver != MACHINE_NONE) {
        return count == 4 && writes == 4;
    }
    if (e->missed) {
        expected = e->pattern.count ? e->pattern.count : 1;
    } else if (!blocks && e->took.thread != MACHINE_NONE) {
        expected = 1;
    }
    return writes == 0 && count <= expected && (count > 0) == (expected > 0);
}

/* Semaphores and read-write locks have two parts, which are bytes of their object. */
static bool has_parts(const program *p, uint32_t cell) {
    return cell < p->cells.count && (vector_at(&p->cells, cell).kind == CELL_SEMAPHORE ||
                                     vector_at(&p->cells, cell).kind == CELL_RWLOCK);
}

static bool same_footprint(const program *p, footprint f, const machine_event *e) {
    cell_set reads = {0}, writes = {0};
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        bool parts = has_parts(p, a.object);
        if ((parts ? !a.bytes || a.bytes > 3 : a.bytes != ACCESS_ALL_BYTES) ||
            a.object >= MACHINE_CELLS) {
            return false;
        }
        cell_set *set = a.mode & ACCESS_WRITE ? &writes : &reads;
        if (a.bytes & 1) {
            cells_add(set, a.object);
        }
        if (parts && a.bytes & 2) {
            cells_add(set, machine_second_part(a.object));
        }
    }
    reads = cells_without(reads, &writes);
    return cells_equal(&reads, &e->reads) && cells_equal(&writes, &e->writes);
}

static bool handles_message(const machine_event *e) {
    return e->kind == KIND_SEND || e->kind == KIND_RECEIVE;
}

static bool shows_value(enum machine_kind kind) {
    return kind == KIND_READ || kind == KIND_ADD || kind == KIND_EXCHANGE || kind == KIND_CAS ||
           kind == KIND_TRYLOCK || kind == KIND_CHOOSE || kind == KIND_SEMAPHORE_TRY ||
           kind == KIND_TRY_READ_LOCK || kind == KIND_TRY_WRITE_LOCK || kind == KIND_ONCE;
}

/* The event is about a mutex that was free; `owners` are those before it. */
static bool finds_it_free(const program *p, const machine_event *e, const uint32_t *owners) {
    if (e->kind == KIND_READ_LOCK || e->kind == KIND_WRITE_LOCK) {
        return true;
    }
    if (e->kind == KIND_TRY_READ_LOCK || e->kind == KIND_TRY_WRITE_LOCK) {
        return e->value;
    }
    for (uint32_t cell = 0; cell < p->cells.count && e->kind != KIND_ATOMIC; cell++) {
        if (vector_at(&p->cells, cell).kind == CELL_MUTEX && cells_have(&e->writes, cell)) {
            return owners[cell] == MACHINE_NONE;
        }
    }
    return false;
}

static void check_event(recorder *r, uint32_t position, const event *told,
                        const machine_event *done, const uint32_t *owners) {
    const char *wrong = NULL;
    if (told->index != done->index && !r->passing) {
        wrong = "index";
    } else if (told->kind != operation_kinds[done->kind]) {
        wrong = "kind";
    } else if (handles_message(done)
                   ? !same_message_footprint(told->footprint, done, r->program->cells.count,
                                             !(told->flags & OPERATION_VARIES))
                   : !same_footprint(r->program, told->footprint, done)) {
        wrong = "footprint";
    } else if (shows_value(done->kind) && told->value != done->value) {
        wrong = "value";
    } else if (done->kind == KIND_RECEIVE && told->value != (uint64_t)done->tag) {
        wrong = "tag";
    } else if (told->acquired != finds_it_free(r->program, done, owners)) {
        wrong = "acquired";
    }
    if (wrong) {
        difference_set(r->difference, DIFFERENCE_EVENT, "%s of event %u, a %s of thread %u", wrong,
                       position, operation_word(operation_kinds[done->kind]), done->thread);
    }
}

static void check_order(recorder *r, const execution *x, uint32_t position) {
    for (uint32_t i = 0; i < position; i++) {
        bool before = r->trace.before[r->positions[position]] >> r->positions[i] & 1;
        if (execution_before(x, i, position) != before) {
            difference_set(r->difference, DIFFERENCE_ORDER, "event %u %s event %u", i,
                           before ? "happens before" : "does not happen before", position);
        }
    }
}

/* ---- one execution ---- */

static bool is_passing(const recorder *r, const target *target, const machine *m, uint32_t t) {
    const machine_thread *thread = &m->threads[t];
    const model_thread *code = &vector_at(&r->program->threads, t);
    return thread->status == STATUS_RUNNING && thread->phase == PHASE_NONE &&
           races_is_plain(r->program, &vector_at(&code->code, thread->counter)) &&
           !interpreter_is_promoted(target, races_place(r->program, t, thread->counter));
}

/* The plain accesses that belong to the step before. */
static void pass(recorder *r, const target *target, machine *m, uint32_t t) {
    while (r->passing && !m->gave_up && is_passing(r, target, m, t)) {
        machine_event done = machine_step(m, t, MACHINE_NONE);
        trace_append(&r->trace, &done);
    }
}

static void pass_all(recorder *r, const target *target, machine *m) {
    for (uint32_t t = 0; t < r->program->threads.count; t++) {
        pass(r, target, m, t);
    }
}

/* The execution once more, in the oracle's machine. */
static bool run_again(recorder *r, const target *target, const execution *x, machine *m) {
    CHECK(machine_init(m, r->program, r->expected->fine));
    trace_clear(&r->trace);
    pass_all(r, target, m);
    for (uint32_t i = 0; i < execution_length(x); i++) {
        const event *told = execution_event(x, i);
        if (!can_step(m, told->thread, told->choice)) {
            difference_set(r->difference, DIFFERENCE_SCHEDULE,
                           "step %u: thread %u cannot take its step with choice %d", i,
                           told->thread, (int)told->choice);
            return false;
        }
        uint32_t owners[MACHINE_CELLS];
        memcpy(owners, m->owners, sizeof owners);
        machine_event done = machine_step(m, told->thread, told->choice);
        if (m->gave_up) {
            difference_set(r->difference, DIFFERENCE_SCHEDULE, "longer than any execution");
            return false;
        }
        r->positions[i] = r->trace.count;
        trace_append(&r->trace, &done);
        check_event(r, i, told, &done, owners);
        check_order(r, x, i);
        pass(r, target, m, told->thread);
        pass_all(r, target, m);
    }
    return r->difference->kind == DIFFERENCE_NONE;
}

static void check_maximal(recorder *r, const machine *m) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (machine_enabled(m, t)) {
            difference_set(r->difference, DIFFERENCE_NOT_MAXIMAL, "thread %u is enabled", t);
        }
    }
}

static void check_ending(recorder *r, enum machine_ending ending, enum target_ending told) {
    static const enum target_ending endings[] = {[FINISH_COMPLETE] = ENDING_COMPLETE,
                                                 [FINISH_ASSUMED] = ENDING_ASSUME_BLOCKED,
                                                 [FINISH_DEADLOCK] = ENDING_DEADLOCK};
    if (endings[ending] != told) {
        difference_set(r->difference, DIFFERENCE_ENDING, "told %d instead of %d", (int)told,
                       (int)endings[ending]);
    }
}

static hash schedule_hash(const execution *x) {
    hash h = {9, 10};
    for (uint32_t i = 0; i < execution_length(x); i++) {
        const event *e = execution_event(x, i);
        h = hash_append(h, (uint64_t)e->thread << 32 | e->choice);
    }
    return h;
}

static void collect_into(recorder *r, uint32_t promise, hash_table *set, hash key) {
    bool added;
    if (r->promises & promise) {
        hash_table_add(set, key, &added);
    }
}

static void collect_class(recorder *r, const judged *j) {
    bool added;
    if (r->promises & (PROMISE_CLASSES | PROMISE_CLASSES_ONCE)) {
        hash_table_add(&r->classes, j->class, &added);
        if (!added && (r->promises & PROMISE_CLASSES_ONCE)) {
            difference_set(r->difference, DIFFERENCE_DUPLICATE, "class of execution %" PRIu64,
                           r->executions);
        }
    }
}

static void collect(recorder *r, hash schedule, const judged *j) {
    bool added;
    collect_into(r, PROMISE_OUTCOMES, &r->outcomes, j->outcome);
    collect_into(r, PROMISE_STATES, &r->states, j->state);
    collect_into(r, PROMISE_FINALS, &r->finals, j->final);
    collect_into(r, PROMISE_RESULTS, &r->results, j->result);
    if (r->promises & PROMISE_INTERLEAVINGS) {
        hash_table_add(&r->schedules, schedule, &added);
        if (!added) {
            difference_set(r->difference, DIFFERENCE_REPEATED, "execution %" PRIu64, r->executions);
        }
    }
    collect_class(r, j);
    if (r->promises & (PROMISE_TRACES | PROMISE_ONCE)) {
        hash_table_add(&r->traces, j->trace, &added);
        if (!added && (r->promises & PROMISE_ONCE)) {
            difference_set(r->difference, DIFFERENCE_DUPLICATE, "execution %" PRIu64,
                           r->executions);
        }
    }
    if (!hash_table_find(&r->expected->traces, j->trace)) {
        difference_set(r->difference, DIFFERENCE_UNKNOWN_TRACE, "execution %" PRIu64,
                       r->executions);
    }
}

/* Runs the execution again; false if it is not what the library says. */
static bool judge(recorder *r, const exploration *e, judged *j) {
    machine m;
    if (!run_again(r, e->target, &e->execution, &m)) {
        return false;
    }
    check_maximal(r, &m);
    *j = (judged){.trace = trace_hash(&r->trace),
                  .outcome = trace_outcome(&r->trace, &m),
                  .state = trace_state(&m),
                  .final = trace_final(&m),
                  .result = trace_result(&m),
                  .ending = machine_ending(&m)};
    if (r->expected->observe) {
        j->class = observed_hash(&r->trace, r->program);
    }
    return r->difference->kind == DIFFERENCE_NONE;
}

static bool find_judged(const recorder *r, hash schedule, judged *j) {
    const hash_entry *known = r->known ? hash_table_find(&r->known->numbers, schedule) : NULL;
    if (known) {
        *j = vector_at(&r->known->items, known->value);
    }
    return known;
}

static void keep_judged(recorder *r, hash schedule, const judged *j) {
    bool added;
    if (r->known) {
        hash_table_add(&r->known->numbers, schedule, &added)->value = r->known->items.count;
        vector_push(&r->known->items, *j);
    }
}

void judged_free(judged_schedules *k) {
    hash_table_free(&k->numbers);
    vector_free(&k->items);
}

size_t judged_memory(const judged_schedules *k) {
    return hash_table_size(&k->numbers) + k->items.capacity * sizeof *k->items.items;
}

static void interrupt_if_due(recorder *r) {
    uint64_t explorations = r->executions + r->redundant;
    if ((r->promises & PROMISE_BOUNDED) && explorations > r->expected->interleavings) {
        difference_set(r->difference, DIFFERENCE_TOO_MANY, "%" PRIu64 " interleavings",
                       r->expected->interleavings);
    }
    if ((r->promises & PROMISE_FEWER) && explorations > r->expected->traces.entries.count) {
        difference_set(r->difference, DIFFERENCE_TOO_MANY, "%u traces",
                       r->expected->traces.entries.count);
    }
    if ((r->promises & PROMISE_FEWER_CLASSES) &&
        explorations > r->expected->classes.entries.count) {
        difference_set(r->difference, DIFFERENCE_TOO_MANY, "%u classes",
                       r->expected->classes.entries.count);
    }
    r->limit_hit |= explorations >= r->exploration_limit;
    if (r->limit_hit || r->difference->kind != DIFFERENCE_NONE) {
        r->interrupt = 1;
    }
}

static void recorder_executed(sink *s, const exploration *x, enum target_ending ending) {
    recorder *r = (recorder *)s;
    judged j;
    r->executions++;
    if (r->interrupt) {
        return;
    }
    hash schedule = schedule_hash(&x->execution);
    bool known = find_judged(r, schedule, &j);
    if (known || judge(r, x, &j)) {
        check_ending(r, j.ending, ending);
        r->endings[j.ending]++;
        collect(r, schedule, &j);
        if (!known) {
            keep_judged(r, schedule, &j);
        }
    }
    interrupt_if_due(r);
}

static void recorder_redundant(sink *s, const exploration *x) {
    recorder *r = (recorder *)s;
    r->redundant++;
    if (r->promises & (PROMISE_ONCE | PROMISE_CLASSES_ONCE)) {
        difference_set(r->difference, DIFFERENCE_REDUNDANT,
                       "after %" PRIu64 " executions, %u events", r->executions,
                       execution_length(&x->execution));
    }
    interrupt_if_due(r);
}

static bool recorder_error(sink *s, const exploration *x, const program_error *error) {
    recorder *r = (recorder *)s;
    const char *file;
    uint32_t line = 0;
    bool added;
    if (error->kind == ERROR_DEADLOCK) {
        r->deadlocks_reported++;
        return true;
    }
    if (error->kind == ERROR_DATA_RACE) {
        hash_table_add(&r->races, races_pair(error->location, error->relations[0].location),
                       &added);
        return true;
    }
    enum machine_error kind = error->kind == ERROR_ASSERTION ? FAULT_ASSERTION
                              : error->kind == ERROR_MISUSE  ? FAULT_MISUSE
                                                             : FAULT_NONE;
    x->target->class->describe_location(x->target, error->location, &file, &line);
    hash_table_add(&r->errors, brute_error_hash(error->thread, kind, line), &added);
    return true;
}

static const sink_class recorder_class = {
    .executed = recorder_executed, .redundant = recorder_redundant, .error = recorder_error};

/* ---- all executions ---- */

void recorder_init(recorder *r, const program *p, const brute *expected, uint32_t promises,
                   uint64_t exploration_limit, difference *d) {
    *r = (recorder){.sink = {&recorder_class},
                    .program = p,
                    .expected = expected,
                    .promises = promises,
                    .exploration_limit = exploration_limit,
                    .difference = d};
}

void recorder_free(recorder *r) {
    hash_table_free(&r->traces);
    hash_table_free(&r->outcomes);
    hash_table_free(&r->states);
    hash_table_free(&r->finals);
    hash_table_free(&r->results);
    hash_table_free(&r->classes);
    hash_table_free(&r->errors);
    hash_table_free(&r->races);
    hash_table_free(&r->schedules);
}

static void judge_set(recorder *r, enum difference_kind kind, const hash_table *expected,
                      const hash_table *found) {
    hash key;
    if (hash_table_missing(expected, found, &key)) {
        difference_set(r->difference, kind, "%u of %u found", found->entries.count,
                       expected->entries.count);
    }
}

static void judge_endings(recorder *r) {
    for (uint32_t i = 0; i < FINISH_COUNT; i++) {
        uint64_t found = r->endings[i], expected = r->expected->endings[i];
        bool exact = r->promises & PROMISE_ONCE;
        if (exact ? found != expected : (found == 0) != (expected == 0)) {
            difference_set(r->difference, DIFFERENCE_ENDINGS, "ending %u: %" PRIu64 " of %" PRIu64,
                           i, found, expected);
        }
    }
    if (r->deadlocks_reported != r->endings[FINISH_DEADLOCK]) {
        difference_set(r->difference, DIFFERENCE_ENDINGS,
                       "%" PRIu64 " deadlocks reported of %" PRIu64, r->deadlocks_reported,
                       r->endings[FINISH_DEADLOCK]);
    }
}

static void judge_count(recorder *r) {
    if ((r->promises & PROMISE_INTERLEAVINGS) && r->executions != r->expected->interleavings) {
        difference_set(r->difference, DIFFERENCE_COUNT, "%" PRIu64 " of %" PRIu64, r->executions,
                       r->expected->interleavings);
    }
}

void recorder_judge(recorder *r, enum exploration_end end) {
    if (r->difference->kind != DIFFERENCE_NONE || r->limit_hit) {
        return;
    }
    if (end != EXPLORATION_COMPLETE) {
        difference_set(r->difference, DIFFERENCE_UNFINISHED, "it ended with %d", (int)end);
    }
    if (r->promises & PROMISE_TRACES) {
        judge_set(r, DIFFERENCE_MISSING_TRACE, &r->expected->traces, &r->traces);
    }
    if (r->promises & PROMISE_CLASSES) {
        judge_set(r, DIFFERENCE_MISSING_CLASS, &r->expected->classes, &r->classes);
    }
    if (r->promises & PROMISE_OUTCOMES) {
        judge_set(r, DIFFERENCE_OUTCOMES, &r->expected->outcomes, &r->outcomes);
    }
    if (r->promises & PROMISE_STATES) {
        judge_set(r, DIFFERENCE_STATES, &r->expected->states, &r->states);
    }
    if (r->promises & PROMISE_RESULTS) {
        judge_set(r, DIFFERENCE_RESULTS, &r->expected->results, &r->results);
    }
    if (r->promises & PROMISE_FINALS) {
        judge_set(r, DIFFERENCE_FINALS, &r->expected->finals, &r->finals);
    }
    judge_set(r, DIFFERENCE_FALSE_RACE, &r->races, &r->expected->races);
    if (r->promises & (PROMISE_TRACES | PROMISE_CLASSES)) {
        judge_set(r, DIFFERENCE_RACES, &r->expected->races, &r->races);
    }
    if (r->promises & PROMISE_ERRORS) {
        judge_set(r, DIFFERENCE_ERRORS, &r->expected->errors, &r->errors);
        judge_set(r, DIFFERENCE_ERRORS, &r->errors, &r->expected->errors);
        judge_endings(r);
    }
    judge_count(r);
}
