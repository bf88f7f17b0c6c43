#include "oracle/brute.h"

#include "oracle/machine_spin.h"
#include "oracle/observed.h"
#include "oracle/races.h"

static uint64_t saturating_sum(uint64_t a, uint64_t b) {
    return a + b < a ? UINT64_MAX : a + b;
}

static void add(hash_table *set, hash key) {
    bool added;
    hash_table_add(set, key, &added);
}

hash brute_error_hash(uint32_t thread, enum machine_error error, uint32_t line) {
    return hash_append(hash_append((hash){8, thread}, error), line);
}

/* Executions of one class have the same outcome, or the equivalence would be wrong. */
static void record_class(brute *b, const machine *m) {
    bool added;
    uint64_t outcome = trace_outcome(&b->trace, m).low;
    hash_entry *entry =
        hash_table_add(&b->classes, observed_hash(&b->trace, m->program, &b->spun), &added);
    entry->value = added ? outcome : entry->value;
    CHECK(entry->value == outcome);
}

static void record_rounds(brute *b, const machine *m, enum machine_ending ending) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (machine_possible(m, t)) {
            b->goes_round |= ending != FINISH_ARTIFACT;
            return;
        }
    }
    add(&b->ends, trace_final(m));
}

static void record_maximal(brute *b, const machine *m) {
    bool added;
    hash_entry *entry = hash_table_add(&b->traces, trace_hash(&b->trace), &added);
    if (!added) {
        return;
    }
    entry->value = machine_ending(m);
    b->endings[entry->value]++;
    b->longest = b->trace.count > b->longest ? b->trace.count : b->longest;
    add(&b->outcomes, trace_outcome(&b->trace, m));
    add(&b->states, trace_state(m));
    add(&b->finals, trace_final(m));
    add(&b->results, trace_result(m));
    add(&b->deeds, trace_deeds(&b->trace));
    if (b->observe) {
        record_class(b, m);
    }
    if (m->loops) {
        record_rounds(b, m, (enum machine_ending)entry->value);
    }
    if (program_has_plain(m->program)) {
        races_find(&b->trace, m->program, &b->races);
    }
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        const machine_thread *thread = &m->threads[t];
        if (thread->error != FAULT_NONE) {
            uint32_t line =
                vector_at(&vector_at(&m->program->threads, t).code, thread->counter).line;
            add(&b->errors, brute_error_hash(t, thread->error, line));
        }
    }
}

static uint64_t explore(brute *b, const machine *m);

/* One step from m and everything after it. Returns the number of interleavings. */
static uint64_t explore_step(brute *b, const machine *m, uint32_t thread, uint32_t choice) {
    if (b->prefixes++ >= b->prefix_limit) {
        b->complete = false;
        return 0;
    }
    machine after = *m;
    machine_event e = machine_step(&after, thread, choice);
    if (after.gave_up) {
        b->complete = false;
        return 0;
    }
    trace_append(&b->trace, &e);
    uint64_t interleavings;
    const hash_entry *seen =
        b->mode == BRUTE_MERGED ? hash_table_find(&b->visited, trace_hash(&b->trace)) : NULL;
    interleavings = seen ? seen->value : explore(b, &after);
    trace_truncate(&b->trace, b->trace.count - 1);
    return interleavings;
}

/* Everything after m. The recursion is as deep as an execution is long: MACHINE_STEPS at most. */
static uint64_t explore(brute *b, const machine *m) {
    uint64_t interleavings = 0;
    bool maximal = true;
    uint32_t choices[MACHINE_CELLS];
    for (uint32_t t = 0; t < m->program->threads.count && b->complete; t++) {
        if (!machine_enabled(m, t)) {
            if (m->loops && machine_possible(m, t)) {
                machine_add_awaited(m, t, &b->spun);
            }
            continue;
        }
        maximal = false;
        uint32_t count = machine_alternatives(m, t, choices);
        for (uint32_t i = 0; i < count && b->complete; i++) {
            interleavings = saturating_sum(interleavings, explore_step(b, m, t, choices[i]));
        }
    }
    if (maximal) {
        record_maximal(b, m);
        interleavings = 1;
    }
    if (b->mode == BRUTE_MERGED) {
        bool added;
        hash_table_add(&b->visited, trace_hash(&b->trace), &added)->value = interleavings;
        CHECK(added);
    }
    return interleavings;
}

static void clear(brute *b) {
    hash_table_clear(&b->traces);
    hash_table_clear(&b->outcomes);
    hash_table_clear(&b->states);
    hash_table_clear(&b->finals);
    hash_table_clear(&b->results);
    hash_table_clear(&b->deeds);
    hash_table_clear(&b->classes);
    hash_table_clear(&b->errors);
    hash_table_clear(&b->races);
    hash_table_clear(&b->ends);
    b->goes_round = false;
    hash_table_clear(&b->visited);
    trace_clear(&b->trace);
    for (uint32_t i = 0; i < FINISH_COUNT; i++) {
        b->endings[i] = 0;
    }
    b->interleavings = b->prefixes = 0;
    b->longest = 0;
}

static void run(brute *b, const program *p, enum brute_mode mode, uint64_t prefix_limit) {
    machine start;
    clear(b);
    b->mode = mode;
    b->prefix_limit = prefix_limit;
    b->complete = machine_init(&start, p, b->fine);
    if (b->complete) {
        b->interleavings = explore(b, &start);
    }
}

/* What spin loops wait for is known only at the end, and classes depend on it. */
void brute_run(brute *b, const program *p, enum brute_mode mode, uint64_t prefix_limit) {
    bool observe = b->observe;
    b->spun = (cell_set){0};
    if (observe && machine_has_loops(p)) {
        b->observe = false;
        run(b, p, mode, prefix_limit);
        b->observe = true;
    }
    run(b, p, mode, prefix_limit);
}

void brute_free(brute *b) {
    hash_table_free(&b->traces);
    hash_table_free(&b->outcomes);
    hash_table_free(&b->states);
    hash_table_free(&b->finals);
    hash_table_free(&b->results);
    hash_table_free(&b->deeds);
    hash_table_free(&b->classes);
    hash_table_free(&b->errors);
    hash_table_free(&b->races);
    hash_table_free(&b->ends);
    hash_table_free(&b->visited);
}
