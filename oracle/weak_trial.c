#include "oracle/weak_trial.h"

#include <inttypes.h>
#include <stdio.h>

#include "explore/exploration.h"
#include "oracle/machine_spin.h"
#include "oracle/weak_graph.h"
#include "targets/abstract/interpreter.h"

enum {
    GRAPH_LIMIT = 30000,
    STATE_LIMIT = 200000,
    EXECUTION_LIMIT = 30000,
    STEP_LIMIT = 3 * WEAK_EVENTS,
    PATIENCE_MOST = 200,
};

typedef struct trial {
    sink sink;
    const program *program;
    enum memory_model model;
    const weak_brute *expected;
    bool races, exact; /* the program does; all graphs are to be compared */
    bool raced;
    hash_table seen;
    difference *difference;
    uint64_t executions;
} trial;

/* ---- an execution as a graph ---- */

/* What a step is reported to have read or written. */
static bool is_reported(const weak_event *e, const event *reported) {
    int64_t value = (int64_t)reported->value;
    switch ((enum instruction_kind)e->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
        case INSTRUCTION_AWAIT: return value == e->read;
        case INSTRUCTION_WRITE: return value == e->written;
        case INSTRUCTION_CAS:
        case INSTRUCTION_TRYLOCK: return value == e->writes;
        case INSTRUCTION_SEMAPHORE_TRY:
        case INSTRUCTION_TRY_READ_LOCK:
        case INSTRUCTION_TRY_WRITE_LOCK: return value == (e->written != e->read);
        case INSTRUCTION_ONCE: return value == e->writes;
        default: return true;
    }
}

/* Choices count versions from the latest; positions from the initial one. */
static uint32_t position_of(const weak_graph *g, uint32_t thread, uint32_t choice) {
    weak_op op = weak_pending(g->program, &g->threads[thread], thread);
    uint32_t reported = choice == CHOICE_NONE ? 0 : choice;
    if (op.instruction->kind == INSTRUCTION_SIGNAL) {
        return reported;
    }
    bool access = weak_reads(&op) || weak_writes(&op, &g->threads[thread], 0);
    return access && reported <= g->cells[op.cell].count ? g->cells[op.cell].count - reported
                                                         : reported;
}

static bool rebuild(trial *t, const execution *x, weak_graph *g) {
    weak_graph_init(g, t->program, t->exact ? 0 : PATIENCE_MOST);
    for (uint32_t i = 0; i < execution_length(x) && !g->races; i++) {
        const event *reported = execution_event(x, i);
        uint32_t own = g->count; /* plain accesses may follow */
        bool good =
            reported->thread < t->program->threads.count &&
            g->threads[reported->thread].status == WEAK_RUNS &&
            weak_graph_add(g, reported->thread, position_of(g, reported->thread, reported->choice));
        if (!good) {
            difference_set(t->difference, DIFFERENCE_SCHEDULE,
                           "step %u: thread %u cannot take its step with choice %d", i,
                           reported->thread, (int)reported->choice);
            return false;
        }
        if (!is_reported(&g->events[own], reported)) {
            difference_set(t->difference, DIFFERENCE_EVENT, "step %u: value %" PRIu64, i,
                           reported->value);
            return false;
        }
    }
    return true;
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    static const enum target_ending endings[] = {[WEAK_COMPLETE] = ENDING_COMPLETE,
                                                 [WEAK_ASSUME_BLOCKED] = ENDING_ASSUME_BLOCKED,
                                                 [WEAK_DEADLOCK] = ENDING_DEADLOCK,
                                                 [WEAK_LIVELOCK] = ENDING_LIVELOCK,
                                                 [WEAK_ARTIFACT] = ENDING_ARTIFACT};
    trial *t = (trial *)s;
    weak_graph g;
    bool added;
    t->executions++;
    if (t->difference->kind != DIFFERENCE_NONE || !rebuild(t, &x->execution, &g)) {
        return;
    }
    if (!t->exact || g.races) {
        return; /* how it ends depends on what the threads race for, or on rounds of loops */
    }
    hash key = weak_graph_hash(&g);
    if (!hash_table_find(&t->expected->graphs, key)) {
        bool consistent = weak_graph_consistent(&g, t->model);
        difference_set(t->difference, DIFFERENCE_UNKNOWN_TRACE,
                       "graph of execution %" PRIu64 ": %s", t->executions,
                       consistent ? "not maximal" : "inconsistent");
        return;
    }
    hash_table_add(&t->seen, key, &added);
    if (!added) {
        difference_set(t->difference, DIFFERENCE_DUPLICATE, "graph of execution %" PRIu64,
                       t->executions);
    } else if (endings[weak_graph_ending(&g)] != ending) {
        difference_set(t->difference, DIFFERENCE_ENDING, "reported %d", (int)ending);
    }
}

/* Errors show in how threads end, which the graph has. */
static bool error(sink *s, const exploration *x, const program_error *found) {
    (void)x;
    trial *t = (trial *)s;
    t->raced = t->raced || found->kind == ERROR_DATA_RACE;
    if (found->kind == ERROR_UNSUPPORTED) {
        difference_set(t->difference, DIFFERENCE_UNFINISHED, "%s", found->message);
    }
    return t->difference->kind == DIFFERENCE_NONE;
}

static const sink_class trial_class = {.executed = executed, .error = error};

/* ---- one model ---- */

/* From the beginning whenever the target has learnt that a lock polls. */
static enum exploration_end explore(trial *t, const defendant *who) {
    target *checked =
        interpreter_create_with(t->program, who->races ? who->races : &interpreter_races,
                                who->spins ? who->spins : &interpreter_spins);
    enum exploration_end end;
    do {
        exploration x;
        checked->stale = t->raced = false;
        hash_table_free(&t->seen);
        t->seen = (hash_table){0};
        exploration_init(&x, checked, &t->sink);
        x.model = t->model;
        x.limits.max_executions = EXECUTION_LIMIT;
        x.limits.max_steps = STEP_LIMIT;
        end = exploration_run(&x, who->class);
        exploration_free(&x);
    } while (checked->stale && t->difference->kind == DIFFERENCE_NONE);
    checked->class->destroy(checked);
    footprint_table_clear();
    return end;
}

static void try_model(trial *t, const defendant *who) {
    enum exploration_end end = explore(t, who);
    if (t->races && t->raced) {
        return; /* its loops need not come to an end */
    }
    if (end != EXPLORATION_COMPLETE) {
        difference_set(t->difference, DIFFERENCE_UNFINISHED, "%u of %u graphs",
                       t->seen.entries.count, t->expected->graphs.entries.count);
    } else if (t->raced != t->races) {
        difference_set(t->difference, t->raced ? DIFFERENCE_FALSE_RACE : DIFFERENCE_RACES,
                       "in %" PRIu64 " executions", t->executions);
    } else if (t->exact && !t->races &&
               t->seen.entries.count != t->expected->graphs.entries.count) {
        difference_set(t->difference, DIFFERENCE_MISSING_TRACE, "%u of %u graphs",
                       t->seen.entries.count, t->expected->graphs.entries.count);
    }
}

/* The axioms of TSO and the machine with store buffers agree about what can result. */
static void compare_machine(const program *p, const weak_brute *tso, difference *d) {
    hash_table outcomes = {0};
    if (weak_buffers_run(p, STATE_LIMIT, &outcomes)) {
        hash key;
        if (hash_table_missing(&outcomes, &tso->outcomes, &key) ||
            hash_table_missing(&tso->outcomes, &outcomes, &key)) {
            difference_set(d, DIFFERENCE_MACHINE, "%u outcomes by axioms, %u with store buffers",
                           tso->outcomes.entries.count, outcomes.entries.count);
        }
    }
    hash_table_free(&outcomes);
}

/* What to expect. Rounds that are left out may race: then some thread does one of them. */
static bool expect(trial *t, weak_brute *expected) {
    weak_request request = {.model = t->model, .limit = GRAPH_LIMIT};
    weak_brute_run(expected, t->program, &request);
    t->expected = expected;
    t->races = expected->races;
    t->exact = !expected->unguarded;
    bool complete = expected->complete;
    if (complete && !t->races && program_has_plain(t->program) && machine_has_loops(t->program)) {
        weak_brute more = {0};
        request.patience = 1;
        weak_brute_run(&more, t->program, &request);
        t->races = more.races;
        t->exact = t->exact && !more.unguarded;
        complete = more.complete;
        weak_brute_free(&more);
    }
    return complete;
}

void weak_try(const program *p, const defendant *who, differ_result *result) {
    difference *d = &result->difference;
    if (!weak_can_judge(p)) {
        return;
    }
    snprintf(d->strategy, sizeof d->strategy, "%s", who->class->name);
    for (enum memory_model m = 0; m < MODEL_COUNT && d->kind == DIFFERENCE_NONE; m++) {
        weak_brute expected = {0};
        trial t = {.sink = {&trial_class}, .program = p, .model = m, .difference = d};
        bool complete = expect(&t, &expected);
        size_t judge = memory_in_use();
        snprintf(d->policy, sizeof d->policy, "--model=%s", memory_model_word(m));
        if (complete) {
            try_model(&t, who);
            hash_table_free(&t.seen);
            result->tested = true;
            result->traces += expected.graphs.entries.count;
            if (m == MODEL_TSO && !t.races && t.exact) {
                compare_machine(p, &expected, d);
            }
        }
        if (memory_in_use() != judge) {
            difference_set(d, DIFFERENCE_LEAK, "%zd bytes", (ssize_t)(memory_in_use() - judge));
        }
        weak_brute_free(&expected);
    }
}
