/* The judge of execution graphs, on litmus tests whose counts are known; and the strategy graph on
 * random programs. */
#include "oracle/weak_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/differ.h"
#include "oracle/generator.h"
#include "oracle/print.h"

static uint32_t count(const char *text, enum memory_model model) {
    program p;
    parse_error error;
    weak_brute b;
    assert_true(print_parse(&p, text, &error));
    assert_true(weak_can_judge(&p));
    weak_brute_run(&b, &p, &(weak_request){.model = model, .limit = 100000});
    assert_true(b.complete);
    uint32_t graphs = b.graphs.entries.count;
    weak_brute_free(&b);
    program_free(&p);
    return graphs;
}

static void expect(const char *text, uint32_t sc, uint32_t tso, uint32_t ra, uint32_t rc11) {
    assert_int_equal(count(text, MODEL_SC), sc);
    assert_int_equal(count(text, MODEL_TSO), tso);
    assert_int_equal(count(text, MODEL_RA), ra);
    assert_int_equal(count(text, MODEL_RC11), rc11);
}

static void test_litmus(void **state) {
    (void)state;
    expect("wx1:rlx ry:rlx / wy1:rlx rx:rlx", 3, 4, 4, 4);
    expect("wx1 ry / wy1 rx", 3, 3, 4, 3);
    expect("wx1:rlx f ry:rlx / wy1:rlx f rx:rlx", 3, 3, 4, 3);
    expect("wx1:rlx wy1:rlx / ry:rlx rx:rlx", 3, 3, 3, 4);
    expect("wx1:rlx wy1:rel / ry:acq rx:rlx", 3, 3, 3, 3);
    expect("rx:rlx wy1:rlx / ry:rlx wx1:rlx", 3, 3, 3, 3);
    expect("wx1 / wy1 / rx ry / ry rx", 15, 15, 16, 15);
    expect("wx1 wy2 / wy1 wx2", 3, 3, 4, 3);
    expect("wx1:rlx wy1:rlx / wy2:rlx rx:rlx", 3, 4, 4, 4);
    expect("wx1:rlx wy1:rlx / wy2:rlx wz1:rlx / rz:rlx rx:rlx", 7, 7, 8, 8);
    expect("l0 u0 / l0 u0 / l0 u0", 6, 6, 6, 6);
    expect("ax:rlx / ax:rlx / ax:rlx", 6, 6, 6, 6);
}

static void test_machine_agrees_with_axioms(void **state) {
    (void)state;
    program p;
    parse_error error;
    hash_table outcomes = {0};
    weak_brute b;
    assert_true(print_parse(&p, "wx1:rlx ry:rlx / wy1:rlx rx:rlx", &error));
    assert_true(weak_buffers_run(&p, 1000, &outcomes));
    weak_brute_run(&b, &p, &(weak_request){.model = MODEL_TSO, .limit = 1000});
    assert_int_equal(outcomes.entries.count, 4);
    assert_int_equal(b.outcomes.entries.count, 4);
    weak_brute_free(&b);
    hash_table_free(&outcomes);
    program_free(&p);
}

static void test_kind(const char *name, uint32_t programs) {
    defendant graph;
    uint32_t unknown, kind = 0, tested = 0;
    assert_int_equal(differ_defendants("graph", &graph, 1, &unknown), 1);
    while (strcmp(generator_kind_name(kind), name) != 0) {
        kind++;
    }
    for (uint64_t i = 0; i < programs; i++) {
        generator_request request = {.seed = 5, .kind = kind, .size = 90};
        differ_settings settings = {.defendants = &graph, .defendant_count = 1, .policies = 1};
        differ_result result;
        sketch s;
        printed text;
        generator_program(&request, i, &s);
        print_sketch(&s, &text);
        differ_test(&settings, text.text, &result);
        if (result.difference.kind != DIFFERENCE_NONE) {
            print_error("%s: %s %s\n", text.text, result.difference.policy,
                        result.difference.detail);
        }
        assert_int_equal(result.difference.kind, DIFFERENCE_NONE);
        tested += result.tested;
    }
    assert_true(tested > programs / 2);
}

static void test_strategy_finds_every_graph_once(void **state) {
    (void)state;
    test_kind("weak", 60);
}

static void test_loops_are_awaits(void **state) {
    (void)state;
    expect("wx1 / qx1", 1, 1, 1, 1);
    expect("wx1:rlx wy1:rlx / qy1:rlx rx:rlx", 1, 1, 1, 2);
    expect("wx1 wx2 / qx1", 2, 2, 2, 2);
    test_kind("weakloops", 40);
    test_kind("weaktries", 40);
}

static void test_primitives_are_updates(void **state) {
    (void)state;
    expect("[sem 1] P0 ax V0 / P0 ax V0", 2, 2, 2, 2);
    expect("l0 W0.0 u0 / l0 W0.0 u0 / g0 g0", 28, 28, 28, 28);
    test_kind("weaksync", 60);
}

static void test_initialisations_are_updates(void **state) {
    (void)state;
    expect("l0 u0 / I0", 3, 3, 3, 3);       /* before, in error, after */
    expect("D0 / l0 u0", 3, 3, 3, 3);       /* before: the lock is in error */
    expect("D0 I0 / l0 u0", 4, 4, 4, 4);    /* the lock before, between, after, or D0 in error */
    expect("Dc0 / l0 W0.0 u0", 2, 2, 2, 2); /* either of them in error */
    expect("D0 / g0", 1, 1, 1, 1);
    test_kind("weaklives", 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_litmus),
        cmocka_unit_test(test_machine_agrees_with_axioms),
        cmocka_unit_test(test_strategy_finds_every_graph_once),
        cmocka_unit_test(test_loops_are_awaits),
        cmocka_unit_test(test_primitives_are_updates),
        cmocka_unit_test(test_initialisations_are_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
