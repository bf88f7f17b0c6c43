/* Happens-before against a closure by Warshall's algorithm, and the canonical form against what it
 * stands for: schedules that differ by a swap of neighbours are equivalent iff the two steps are
 * unordered. On random programs, along random schedules. */
#include "oracle/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "oracle/generator.h"
#include "oracle/print.h"

#define PROGRAMS 1000

typedef struct schedule {
    uint32_t count;
    uint32_t threads[MACHINE_STEPS], choices[MACHINE_STEPS];
} schedule;

/* Runs it; false if it is not a schedule of the program. */
static bool run(const program *p, const schedule *s, trace *t) {
    machine m;
    uint32_t choices[MACHINE_CELLS];
    if (!machine_init(&m, p, true)) {
        return false;
    }
    trace_clear(t);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!machine_enabled(&m, s->threads[i])) {
            return false;
        }
        uint32_t count = machine_alternatives(&m, s->threads[i], choices), at = 0;
        while (at < count && choices[at] != s->choices[i]) {
            at++;
        }
        if (at == count) {
            return false;
        }
        machine_event e = machine_step(&m, s->threads[i], s->choices[i]);
        trace_append(t, &e);
    }
    return true;
}

static void draw_schedule(const program *p, random_source *random, schedule *s) {
    machine m;
    uint32_t choices[MACHINE_CELLS];
    s->count = 0;
    if (!machine_init(&m, p, true)) {
        return;
    }
    for (;;) {
        uint32_t enabled[MACHINE_THREADS], count = 0;
        for (uint32_t t = 0; t < p->threads.count; t++) {
            if (machine_enabled(&m, t)) {
                enabled[count++] = t;
            }
        }
        if (!count) {
            return;
        }
        uint32_t thread = enabled[random_below(random, count)];
        uint32_t choice = choices[random_below(random, machine_alternatives(&m, thread, choices))];
        machine_step(&m, thread, choice);
        s->threads[s->count] = thread;
        s->choices[s->count++] = choice;
    }
}

static void check_closure(const trace *t) {
    static bool before[MACHINE_STEPS][MACHINE_STEPS];
    memset(before, 0, sizeof before);
    for (uint32_t i = 0; i < t->count; i++) {
        for (uint32_t k = i + 1; k < t->count; k++) {
            before[i][k] = trace_ordered(&t->events[i], &t->events[k]);
        }
    }
    for (uint32_t middle = 0; middle < t->count; middle++) {
        for (uint32_t i = 0; i < t->count; i++) {
            for (uint32_t k = 0; k < t->count; k++) {
                before[i][k] |= before[i][middle] && before[middle][k];
            }
        }
    }
    for (uint32_t k = 0; k < t->count; k++) {
        for (uint32_t i = 0; i < t->count; i++) {
            assert_int_equal(before[i][k], t->before[k] >> i & 1);
        }
    }
}

static void swap(uint32_t *items, uint32_t at) {
    uint32_t item = items[at];
    items[at] = items[at + 1];
    items[at + 1] = item;
}

static void check_swaps(const program *p, const schedule *s, const trace *t) {
    for (uint32_t i = 0; i + 1 < s->count; i++) {
        schedule swapped = *s;
        trace other;
        bool ordered = t->before[i + 1] >> i & 1;
        if (s->threads[i] == s->threads[i + 1]) {
            continue;
        }
        swap(swapped.threads, i);
        swap(swapped.choices, i);
        bool possible = run(p, &swapped, &other);
        if (!ordered) {
            assert_true(possible); /* unordered neighbours commute … */
            assert_true(hash_equal(trace_hash(t), trace_hash(&other)));
        } else if (possible) {
            assert_false(hash_equal(trace_hash(t), trace_hash(&other)));
        }
    }
}

static void test_random_schedules(void **state) {
    (void)state;
    random_source random = {17};
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        sketch drawn;
        printed text;
        program p;
        parse_error error;
        schedule s;
        trace t;
        generator_program(&(generator_request){.seed = 5, .kind = GENERATOR_ANY_KIND}, i, &drawn);
        print_sketch(&drawn, &text);
        assert_true(print_parse(&p, text.text, &error));
        draw_schedule(&p, &random, &s);
        assert_true(run(&p, &s, &t));
        check_closure(&t);
        check_swaps(&p, &s, &t);
        program_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_schedules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
