/* The brute force against the exact counts that are known for small programs, and its two modes
 * against each other. */
#include "oracle/brute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/generator.h"
#include "oracle/print.h"
#include "targets/abstract/oneline.h"

typedef struct known_count {
    const char *text;
    uint32_t traces;
    uint32_t deadlocks; /* traces that end with a thread that is blocked forever */
} known_count;

static const known_count memory_programs[] = {
    {"wx1 / rx / rx", 4, 0},
    {"wx1 ry / wy1 rx", 3, 0},
    {"wx1 / wx2 / rx / rx", 18, 0},
    {"wx1 / wy1 / rx / rx ry rx", 12, 0},
    {"wy1 / rx ry / wx1 / ry rx", 15, 0},
    {"wx1 / wy1 / ry rx / ry rx", 16, 0},
    {"wx1 / wy1 / rx ry rx / ry rx", 23, 0},
    {"wx1 / wy1 / wz1 / ry rz rx / rz ry rx", 60, 0},
    {"wx1 / wy1 / ry rx / ry rx / ry", 32, 0},
    {"wx1 / wy1 / ry rx / ry rx / ry rx", 64, 0},
    {"wx1 / wy1 wz1 / wu1 ry rx / ry rz rx", 32, 0},
    {"ax / ax / ax rx", 12, 0},
    {"wy1 / wx1 / rx / rx ry", 8, 0},
    {"rz rx / rz / wz2 / wx2", 8, 0},
    {"s1 rx j1 rx / * wx1 / wx2", 8, 0},
    {"wx1 / rx h wy1 / ry h wz1 / rz", 4, 0},
    {"wx2 / wy1 / ry !wz1 / rz h ry !wx1", 5, 0}, /* figure 2 of JACM 2017 */
    {"wx1 / wx2 / wx3 / wx4", 24, 0},
};

static const known_count cas_programs[] = {
    {"cx1 ?wy1 / cx2 ?wy2 / ry", 4, 0},
    {"cx1 / cx2 / cx3 / cx4", 4, 0},
    {"wx0 / rx / wx1 cx0", 10, 0},
    {"cx0 / rx / wx2 / wx0", 22, 0},
    {"wx2 rx / wx0 / cx0", 10, 0},
    {"wx0 / rx / cx2 / ax", 22, 0},
    {"wx2 cx2 / wx0 wx2 / rx", 25, 0},
    {"cx2 / wx0 rx / wx2 / cx2", 45, 0},
    {"rx / wx0 / wx2 / rx / cx0", 82, 0},
    {"cx0 / rx / wx0 / wx2 / cx1", 94, 0},
    {"wx2 wx0 / cx0 rx / rx cx2 / rx", 289, 0},
    {"wx0 / wy2 rx / ry ry cx2 / wx1 rx", 111, 0},
    {"cx1 / cx2 ?wx0 / cx1 ?wx0", 13, 0},
};

static const known_count atomic_programs[] = {
    {"[rx,wy0] / wx1 / wx2 ry", 9, 0},
    {"[wx1,wy1] / wx2 / wy2", 4, 0},
    {"wy0 wz1 / wx0 / [rz,rx,ry] / wy0 ry rx", 46, 0},
    {"[rz,rx] / wy0 rz / wx2 / wz1 / [rx,ry]", 31, 0},
    {"wy1 wz2 / [rx,rz] / ry rz / wy1 wx2", 48, 0},
    {"[wx1,wy1] / wx2 wy2 / [wx3,wy3] / [rx,ry]", 60, 0},
    {"[wx1,wy1] / wy2 / wx2 / [rx,ry]", 18, 0},
};

static const known_count await_programs[] = {
    {"wx2 / ix0", 2, 1},
    {"wx2 / ix0 / wx0", 5, 1},
    {"ix1 / ix1 / wx1 wx0", 4, 3},
    {"wx2 wx1 / ix0 / ix0", 4, 3},
    {"rx / ix0 / wx0 / wx1", 15, 3},
    {"wx1 / wx2 / ix1 / wx2 wx1 / rx", 135, 15},
};

static const known_count lock_programs[] = {
    {"l0 / l0 u0", 2, 1},
    {"wx2 / l0 u0 / l0 rx u0", 4, 0},
    {"l0 l1 u1 u0 / l1 l0 u0 u1", 3, 1},
    {"l0 l1 u1 u0 / l0 l1 u0", 2, 1},
    {"l0 l1 u1 u0 / l1 l2 u2 u1 / l2 l0 u0 u2", 7, 1},
    {"l0 rx u0 ?l1 / l1 l0 u0 u1 / wx1", 5, 1},
    {"l0 u0 / t0 / t0", 16, 0},
    {"l0 u0 / k0 / l0 u0", 9, 3},
    {"s1 j1 l0 u0 / * l0 rx u0 / l0 wx1 u0", 3, 0},
    {"l0 u0 / l0 u0 / l0 u0", 6, 0},
    {"l0 wx1 u0 / wx2 / l0 rx u0", 6, 0},
};

static const known_count condition_programs[] = {
    {"l0 W0.0 u0 / l0 g0 u0", 2, 1},
    {"l0 W0.0 u0 / l0 W0.0 u0 / g0", 10, 10},
    {"l0 W0.0 u0 / l0 W0.0 u0 / l0 g0 g0 u0", 14, 6},
    {"l0 W0.0 u0 / l0 W0.0 u0 / g0 / g0", 56, 28},
    {"l0 W0.0 u0 / l0 W0.0 u0 / g0 / b0", 52, 24},
    {"l0 W0.0 u0 / l0 W0.0 u0 / l0 b0 u0", 10, 6},
    {"l0 W0.0 u0 wx1 / l0 W0.0 u0 rx / g0 g0", 42, 14},
    {"l0 W0.0 u0 / b0 t0 / b0", 23, 6},
    {"l0 T0.0 u0 / g0", 3, 0},
    {"l0 T0.0 u0 / l0 g0 u0", 4, 0},
    {"l0 T0.0 u0 / l0 T0.0 u0", 14, 0},
    {"l0 T0.0 u0 / l0 W0.0 u0 / g0", 24, 10},
    {"l0 T0.0 ?wx1 u0 / g0 / rx", 5, 0},
    {"l0 n2 ?W0.0 !u0 !l0 u0 / l0 g0 u0", 5, 1},
};

static const known_count choice_programs[] = {
    {"n2 / n2 / n2", 8, 0},
    {"n2 rx / wx1", 4, 0},
    {"wx1 n2 rx / wx2", 6, 0},
    {"wy2 / n2 rx / wx2 ry", 8, 0},
    {"ry l0 / l0 wy1 / n2 ?wy1", 11, 11},
    {"wz1 / rz n2 ?wy1 / ry ?rz / rz", 14, 0},
};

static void check_modes_agree(const brute *merged, const program *p) {
    brute plain = {0};
    hash key;
    brute_run(&plain, p, BRUTE_PLAIN, 300000);
    if (plain.complete) {
        assert_int_equal(plain.interleavings, merged->interleavings);
        assert_false(hash_table_missing(&plain.traces, &merged->traces, &key));
        assert_false(hash_table_missing(&merged->traces, &plain.traces, &key));
        assert_int_equal(plain.outcomes.entries.count, merged->outcomes.entries.count);
        assert_int_equal(plain.states.entries.count, merged->states.entries.count);
    }
    brute_free(&plain);
}

static void check_count(const known_count *known) {
    program p;
    parse_error error;
    brute all = {0};
    assert_true(oneline_parse(&p, known->text, &error));
    brute_run(&all, &p, BRUTE_MERGED, 10000000);
    assert_true(all.complete);
    if (all.traces.entries.count != known->traces ||
        all.endings[FINISH_DEADLOCK] != known->deadlocks) {
        print_message("%s: %u traces, %u deadlocks; known are %u, %u\n", known->text,
                      all.traces.entries.count, (unsigned)all.endings[FINISH_DEADLOCK],
                      known->traces, known->deadlocks);
    }
    assert_int_equal(all.traces.entries.count, known->traces);
    assert_int_equal(all.endings[FINISH_DEADLOCK], known->deadlocks);
    check_modes_agree(&all, &p);
    brute_free(&all);
    program_free(&p);
}

#define CHECK_COUNTS(name)                                        \
    static void test_##name(void **state) {                       \
        (void)state;                                              \
        for (size_t i = 0; i < sizeof name / sizeof *name; i++) { \
            check_count(&name[i]);                                \
        }                                                         \
    }

CHECK_COUNTS(memory_programs)
CHECK_COUNTS(cas_programs)
CHECK_COUNTS(atomic_programs)
CHECK_COUNTS(await_programs)
CHECK_COUNTS(lock_programs)
CHECK_COUNTS(condition_programs)
CHECK_COUNTS(choice_programs)

static void test_modes_agree_on_random_programs(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 400; i++) {
        sketch drawn;
        printed text;
        program p;
        parse_error error;
        brute merged = {0};
        generator_program(&(generator_request){.seed = 3, .kind = GENERATOR_ANY_KIND}, i, &drawn);
        print_sketch(&drawn, &text);
        assert_true(print_parse(&p, text.text, &error));
        brute_run(&merged, &p, BRUTE_MERGED, 20000);
        if (merged.complete && merged.interleavings < 20000) {
            check_modes_agree(&merged, &p);
        }
        brute_free(&merged);
        program_free(&p);
    }
}

static void test_nothing_leaks(void **state) {
    (void)state;
    assert_int_equal(memory_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_programs),
        cmocka_unit_test(test_cas_programs),
        cmocka_unit_test(test_atomic_programs),
        cmocka_unit_test(test_await_programs),
        cmocka_unit_test(test_lock_programs),
        cmocka_unit_test(test_condition_programs),
        cmocka_unit_test(test_choice_programs),
        cmocka_unit_test(test_modes_agree_on_random_programs),
        cmocka_unit_test(test_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
