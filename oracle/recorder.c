#include "oracle/recorder.h"

#include <inttypes.h>
#include <string.h>

#include "oracle/observed.h"
#include "oracle/races.h"
#include "oracle/recorder_event.h"
#include "targets/abstract/interpreter.h"

/* ---- one execution ---- */

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

static void check_order(recorder *r, const execution *x, uint32_t position) {
    for (uint32_t i = 0; i < position; i++) {
        bool before = r->trace.before[r->positions[position]] >> r->positions[i] & 1;
        if (execution_before(x, i, position) != before) {
            difference_set(r->difference, DIFFERENCE_ORDER, "event %u %s event %u", i,
                           before ? "happens before" : "does not happen before", position);
        }
    }
}

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
        const event *reported = execution_event(x, i);
        if (!can_step(m, reported->thread, reported->choice)) {
            difference_set(r->difference, DIFFERENCE_SCHEDULE,
                           "step %u: thread %u cannot take its step with choice %d", i,
                           reported->thread, (int)reported->choice);
            return false;
        }
        uint32_t owners[MACHINE_CELLS];
        memcpy(owners, m->owners, sizeof owners);
        machine_event done = machine_step(m, reported->thread, reported->choice);
        if (m->gave_up) {
            difference_set(r->difference, DIFFERENCE_SCHEDULE, "longer than any execution");
            return false;
        }
        r->positions[i] = r->trace.count;
        trace_append(&r->trace, &done);
        recorder_check_event(r, i, reported, &done, owners);
        check_order(r, x, i);
        pass(r, target, m, reported->thread);
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

static void check_ending(recorder *r, enum machine_ending ending, enum target_ending reported) {
    static const enum target_ending endings[] = {[FINISH_COMPLETE] = ENDING_COMPLETE,
                                                 [FINISH_ASSUMED] = ENDING_ASSUME_BLOCKED,
                                                 [FINISH_DEADLOCK] = ENDING_DEADLOCK,
                                                 [FINISH_LIVELOCK] = ENDING_LIVELOCK,
                                                 [FINISH_ARTIFACT] = ENDING_ARTIFACT};
    if (endings[ending] != reported) {
        difference_set(r->difference, DIFFERENCE_ENDING, "reported %d instead of %d", (int)reported,
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
        j->class = observed_hash(&r->trace, r->program, &r->expected->spun);
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
    if (r->promises & (PROMISE_UNBLOCKED | PROMISE_CLASSES_ONCE)) {
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
    if (error_is_stuck(error->kind)) {
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

/* All sets that a recorder collects. */
#define RECORDER_SETS 9

static void list_sets(recorder *r, hash_table **sets) {
    hash_table *const all[RECORDER_SETS] = {&r->traces, &r->outcomes, &r->states,
                                            &r->finals, &r->results,  &r->classes,
                                            &r->errors, &r->races,    &r->schedules};
    memcpy(sets, all, sizeof all);
}

void recorder_start(recorder *r, const program *p, const brute *expected, uint32_t promises,
                    uint64_t exploration_limit, difference *d) {
    hash_table *sets[RECORDER_SETS];
    list_sets(r, sets);
    for (uint32_t i = 0; i < RECORDER_SETS; i++) {
        hash_table_clear(sets[i]);
    }
    r->sink = (sink){&recorder_class};
    r->program = p;
    r->expected = expected;
    r->promises = promises;
    r->exploration_limit = exploration_limit;
    r->difference = d;
    r->limit_hit = false;
    r->interrupt = 0;
    r->executions = r->redundant = r->deadlocks_reported = 0;
    memset(r->endings, 0, sizeof r->endings);
}

void recorder_free(recorder *r) {
    hash_table *sets[RECORDER_SETS];
    list_sets(r, sets);
    for (uint32_t i = 0; i < RECORDER_SETS; i++) {
        hash_table_free(sets[i]);
    }
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
    uint64_t stuck = r->endings[FINISH_DEADLOCK] + r->endings[FINISH_LIVELOCK];
    if (r->deadlocks_reported != stuck) {
        difference_set(r->difference, DIFFERENCE_ENDINGS,
                       "%" PRIu64 " deadlocks reported of %" PRIu64, r->deadlocks_reported, stuck);
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
