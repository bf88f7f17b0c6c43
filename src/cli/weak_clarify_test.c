/* Schedules of errors under weak memory models, and the steps that decide, compared with their
 * definitions over all execution graphs of random programs. The graphs are made here from the
 * steps alone: which write each step reads, and the order of the writes of each variable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "cli/load.h"
#include "dpor/registry.h"
#include "report/doom.h"
#include "report/fewest.h"
#include "report/reorder.h"

enum { PROGRAMS = 300, MOST_STEPS = 1000000, MOST_EVENTS = 24, MOST_OBJECTS = 16, INITIAL = 255 };

/* ---- programs ---- */

static const char *pick(random_source *random, const char *const *words, uint32_t count) {
    return words[random_below(random, count)];
}

static void random_statement(random_source *random, text *out) {
    static const char *const variables[] = {"x", "y"}, *const locals[] = {"a", "b"},
                             *const writes[] = {"relaxed", "release", "seq_cst"},
                             *const reads[] = {"relaxed", "acquire", "seq_cst"};
    const char *variable = pick(random, variables, 2), *local = pick(random, locals, 2);
    switch (random_below(random, 8)) {
        case 0:
        case 1:
        case 2:
            text_format(out, "store(%s, %u, %s); ", variable, 1 + random_below(random, 2),
                        pick(random, writes, 3));
            break;
        case 3: text_format(out, "%s = fetch_add(%s, 1, relaxed); ", local, variable); break;
        case 4: text_append(out, random_below(random, 2) ? "fence(); " : "fence(acq_rel); "); break;
        default: text_format(out, "%s = load(%s, %s); ", local, variable, pick(random, reads, 3));
    }
}

/* Two or three threads, of which some assert something, or wait for a value. */
static void random_program(random_source *random, text *out) {
    uint32_t threads = 2 + random_below(random, 2);
    text_append(out, "shared x = 0, y = 0;\n");
    for (uint32_t t = 0; t < threads; t++) {
        text_format(out, "thread p%u { local a = 3, b = 3; ", t);
        for (uint32_t n = 1 + random_below(random, 5 - threads / 3); n; n--) {
            random_statement(random, out);
        }
        if (random_below(random, 3)) {
            text_format(out, "assert(!(a == %u && b == %u)); ", random_below(random, 3),
                        random_below(random, 4));
        } else if (random_below(random, 2)) {
            text_format(out, "await(x == %u, relaxed); ", random_below(random, 3));
        }
        text_append(out, "}\n");
    }
}

/* ---- graphs ---- */

typedef struct graph_event {
    uint32_t thread, index;
    uint32_t object;
    bool reads, writes;
    uint32_t source; /* position of an event, or INITIAL */
} graph_event;

typedef struct graph {
    graph_event events[MOST_EVENTS];
    uint32_t count;
    uint32_t writes[MOST_OBJECTS][MOST_EVENTS]; /* by object: positions, in coherence order */
    uint32_t write_counts[MOST_OBJECTS];
    bool failed;
} graph;

static void insert_write(graph *g, uint32_t object, uint32_t place, uint32_t event) {
    uint32_t *writes = g->writes[object];
    for (uint32_t i = g->write_counts[object]++; i > place; i--) {
        writes[i] = writes[i - 1];
    }
    writes[place] = event;
}

/* `choice` writes are newer than what it reads or comes after. */
static void add_event(graph *g, step taken, const operation *op) {
    graph_event e = {.thread = taken.thread, .source = INITIAL};
    assert_true(g->count < MOST_EVENTS);
    for (uint32_t i = 0; i < g->count; i++) {
        e.index += g->events[i].thread == taken.thread;
    }
    if (footprint_count(op->footprint)) {
        e.object = footprint_access(op->footprint, 0).object;
        assert_true(e.object < MOST_OBJECTS);
        e.reads = op->kind != OPERATION_WRITE;
        e.writes = op->kind == OPERATION_WRITE || op->kind == OPERATION_ADD;
        uint32_t place = g->write_counts[e.object] - taken.choice;
        assert_true(place <= g->write_counts[e.object]);
        if (e.reads && place) {
            e.source = g->writes[e.object][place - 1];
        }
        if (e.writes) {
            insert_write(g, e.object, place, g->count);
        }
    }
    g->events[g->count++] = e;
}

static bool has_kind(const program_error *e, enum error_kind kind) {
    while (e && e->kind != kind) {
        e = e->next;
    }
    return e != NULL;
}

/* The graph of some steps, as far as they are possible, and whether an error of the kind occurs. */
static void make_graph(target *t, const step *steps, uint32_t count, enum error_kind kind,
                       graph *g) {
    step_result result;
    *g = (graph){0};
    t->class->reset(t);
    for (uint32_t i = 0; i < count; i++) {
        const operation *op;
        assert_int_equal(target_find_obstacle(t, steps[i], &op), STEP_POSSIBLE);
        add_event(g, steps[i], op);
        t->class->step(t, steps[i].thread, steps[i].choice, &result);
        g->failed = g->failed || has_kind(result.error, kind);
    }
    g->failed = g->failed || (kind == ERROR_DEADLOCK && t->class->ending(t) == ENDING_DEADLOCK);
}

static uint32_t find_event(const graph *g, const graph_event *like) {
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->events[i].thread == like->thread && g->events[i].index == like->index) {
            return i;
        }
    }
    return MOST_EVENTS;
}

/* All events of the part are in the whole, read the same writes, and are in the same order. */
static bool contains(const graph *whole, const graph *part) {
    uint32_t at[MOST_EVENTS];
    for (uint32_t i = 0; i < part->count; i++) {
        at[i] = find_event(whole, &part->events[i]);
        if (at[i] == MOST_EVENTS || whole->events[at[i]].object != part->events[i].object) {
            return false;
        }
    }
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t source = part->events[i].source;
        if (whole->events[at[i]].source != (source == INITIAL ? INITIAL : at[source])) {
            return false;
        }
    }
    for (uint32_t object = 0; object < MOST_OBJECTS; object++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < whole->write_counts[object]; i++) {
            uint32_t next =
                found < part->write_counts[object] ? part->writes[object][found] : MOST_EVENTS;
            found += next != MOST_EVENTS && whole->writes[object][i] == at[next];
        }
        if (found < part->write_counts[object]) {
            return false;
        }
    }
    return true;
}

/* ---- all executions ---- */

typedef struct all {
    sink sink; /* first */
    VECTOR(step_list) executions;
} all;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    all *a = (all *)s;
    step_list steps = {0};
    (void)ending;
    for (uint32_t i = 0; i < execution_length(&x->execution); i++) {
        const event *taken = execution_event(&x->execution, i);
        vector_push(&steps, (step){taken->thread, taken->choice});
    }
    vector_push(&a->executions, steps);
}

static bool ignore(sink *s, const exploration *x, const program_error *e) {
    (void)s, (void)x, (void)e;
    return true;
}

static const sink_class all_class = {.executed = executed, .error = ignore};

static void explore_all(target *t, enum memory_model model, all *a) {
    exploration x;
    *a = (all){.sink.class = &all_class};
    exploration_init(&x, t, &a->sink);
    x.model = model;
    assert_int_equal(exploration_run(&x, strategy_find("graph")), EXPLORATION_COMPLETE);
    exploration_free(&x);
}

static void free_all(all *a) {
    for (uint32_t i = 0; i < a->executions.count; i++) {
        vector_free(&vector_at(&a->executions, i));
    }
    vector_free(&a->executions);
}

/* ---- definitions ---- */

/* Every graph of the program that begins with the steps has an error of the kind. */
static bool is_doomed(target *t, const all *a, const found_error *f, uint32_t length) {
    graph part, whole;
    make_graph(t, f->steps.items, length, f->kind, &part);
    for (uint32_t i = 0; i < a->executions.count; i++) {
        const step_list *steps = &vector_at(&a->executions, i);
        make_graph(t, steps->items, steps->count, f->kind, &whole);
        if (contains(&whole, &part) && !whole.failed) {
            return false;
        }
    }
    return true;
}

static uint32_t first_doomed(target *t, const all *a, const found_error *f) {
    uint32_t length = f->steps.count;
    while (length > 0 && is_doomed(t, a, f, length - 1)) {
        length--;
    }
    return length;
}

/* Which events have come, and what came last. */
static uint32_t fewest_from(const graph *g, uint32_t come, uint32_t before, bool last_is_last) {
    uint32_t best = MOST_EVENTS, all = ((uint32_t)1 << g->count) - 1;
    if (come == all) {
        return 0;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        const graph_event *e = &g->events[i];
        bool possible = !(come >> i & 1) && (e->source == INITIAL || come >> e->source & 1) &&
                        !(last_is_last && i + 1 == g->count && come != all >> 1);
        for (uint32_t k = 0; k < i; k++) {
            possible = possible && (g->events[k].thread != e->thread || come >> k & 1);
        }
        if (possible) {
            bool changes = before != MOST_EVENTS && g->events[before].thread != e->thread;
            uint32_t rest = fewest_from(g, come | (uint32_t)1 << i, i, last_is_last) + changes;
            best = rest < best ? rest : best;
        }
    }
    return best;
}

static void check_error(target *t, enum memory_model model, const all *a, found_error *f,
                        const char *program, bool *shorter) {
    rerun r = {.target = t,
               .error = f,
               .budget = MOST_STEPS,
               .algorithm = strategy_find("graph"),
               .model = model,
               .max_steps = 1000};
    graph given, made;
    uint32_t length = f->steps.count, before = fewest_count(&f->steps);
    make_graph(t, f->steps.items, length, f->kind, &given);
    reorder(&r, f);
    make_graph(t, f->steps.items, f->steps.count, f->kind, &made);
    if (!made.failed || !contains(&given, &made) || f->steps.count > length ||
        fewest_count(&f->steps) > before) {
        fail_msg("%s: the schedule is worse, or another execution", program);
    }
    if (made.count <= 9 &&
        fewest_count(&f->steps) != fewest_from(&made, 0, MOST_EVENTS, f->kind != ERROR_DEADLOCK)) {
        fail_msg("%s: there are orders with fewer switches", program);
    }
    *shorter = f->steps.count < length || fewest_count(&f->steps) < before;
    r.budget = MOST_STEPS;
    uint32_t found = doom_find(&r, f), expected = first_doomed(t, a, f);
    if (found != expected) {
        fail_msg("%s: unavoidable after %u steps instead of %u", program, found, expected);
    }
}

/* ---- ---- */

typedef struct totals {
    uint32_t errors, inside, shorter;
} totals;

static void check_program(uint64_t seed, const char *path, totals *sums) {
    static const enum memory_model models[] = {MODEL_TSO, MODEL_RA, MODEL_RC11};
    random_source random = {seed + 1};
    text program = {0}, message = {0};
    settings s = {.model = models[seed % 3], .algorithm = "graph"};
    loaded l;
    collector c;
    all a;
    random_program(&random, &program);
    FILE *out = fopen(path, "w");
    fputs(text_string(&program), out);
    fclose(out);
    vector_push(&s.files, path);
    assert_true(load_here(&l, &s, &message));
    explore_all(l.target, s.model, &a);
    collector_init(&c, true);
    exploration x;
    exploration_init(&x, l.target, &c.sink);
    x.model = s.model;
    exploration_run(&x, strategy_find("graph"));
    for (uint32_t n = 0; n < c.errors.count && n < 3; n++) {
        found_error *f = &vector_at(&c.errors, n);
        bool shorter = false;
        if (rerun_is_possible(f)) {
            check_error(l.target, s.model, &a, f, text_string(&program), &shorter);
            uint32_t doomed = first_doomed(l.target, &a, f);
            sums->errors++;
            sums->inside += doomed > 0 && doomed < f->steps.count;
            sums->shorter += shorter;
        }
    }
    exploration_free(&x);
    collector_free(&c);
    loaded_free(&l);
    free_all(&a);
    vector_free(&s.files);
    text_free(&program);
    text_free(&message);
}

static void random_programs(void **state) {
    char path[] = "/tmp/heddle-weak-XXXXXX.heddle";
    totals sums = {0};
    (void)state;
    int file = mkstemps(path, 7);
    assert_true(file >= 0);
    close(file);
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        check_program(i, path, &sums);
    }
    unlink(path);
    print_message("%u errors, %u with a step inside, %u simpler\n", sums.errors, sums.inside,
                  sums.shorter);
    assert_true(sums.errors > 100 && sums.inside > 20 && sums.shorter > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
