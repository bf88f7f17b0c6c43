/* The classes of observers against the counts that are known. */
#include "oracle/observed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/brute.h"
#include "oracle/generator.h"
#include "oracle/print.h"

static const struct {
    const char *text;
    uint32_t traces, classes;
} known[] = {
    {"wx1 / wx2 / rx", 6, 5},
    {"wx1 / wx2 / wx3 / wx4", 24, 1},
    {"wx1 / wx2 / rx / rx", 18, 17},
    {"wx1 / wx2 / ax", 6, 5},
    {"wx1 / wx2 / cx5", 6, 5},
    {"wx1 wy1 / wx2 wy2 / j0 j1 ry", 4, 2},
    {"wx1 wy1 / wx2 wy2 / j0 j1 ry rx", 4, 4},
    {"wx1 rx / wx2 / wx3", 12, 8},
    {"shared x, y; thread p { x = 1; } thread q { x = 2; } thread r { local a; a = x; y = a; } "
     "thread s { local b; b = y; }",
     12, 10},
    {"wx1 / wx2 / wx3 / j0 j1 rx", 8, 5},
    {"wx1 wx2 / wx3 / rx", 12, 8},
    {"wx1 ry / wy1 rx / wx2", 9, 8},
    {"l0 u0 / l0 u0 / l0 u0", 6, 6},
    {"l0 wx1 u0 / wx2 / l0 rx u0", 6, 5},
    {"l0 l1 u1 u0 / l1 l0 u0 u1", 3, 3},
    {"[wx1,wy1] / wx2 wy2 / [wx3,wy3] / [rx,ry]", 60, 53},
    {"[wx1,wy1] / wy2 / wx2 / [rx,ry]", 18, 18},
    {"wx1 s1 wx2 / * wx3 rx", 3, 3},
    /* messages; a time-out of 0 is an N */
    {"S2.1 / S2.2 / N", 4, 3},
    {"S2.1 / S2.2 / M", 2, 2},
    {"S3.1 / S3.2 / S3.3 / M", 6, 3},
    {"S3.1 / S3.2 / S3.1 / N1 M", 12, 7},
    {"S4.1 / S4.2 / S4.3 / S4.4 / M1 M2 M3 M4", 24, 1}, /* selective */
    {"S4.1 / S4.2 / S4.3 / S4.4 / M M M M", 24, 24},    /* not_selective */
    {"thread p(i in 1..3) { send(l, 1, i); receive(2); send(l, 3); } thread l { for (local n = 0; "
     "n < 3; n++) { receive(1); local i = value(); send(p(i), 2); receive(3); } }",
     30, 6}, /* lock */
    /* lastwrite, floating_read, exp-mem3 */
    {"wx1 / wx2 / wx3 / wx4 / j0 j1 j2 j3 rx", 24, 4},
    {"wx1 / wx2 / wx3 / wx4 / rx", 120, 33},
    {"wx1 / wx2 / wx3 / wx4 / wx5 / wx6 / rx", 5040, 193},
    {"wx1 / s2 s3 s4 j2 j3 j4 rx / * wy1 / * wy2 / * wy3", 12, 2},
};

static void test_known_counts(void **state) {
    (void)state;
    brute all = {.observe = true};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        program p;
        parse_error error;
        assert_true(print_parse(&p, known[i].text, &error));
        brute_run(&all, &p, BRUTE_MERGED, 1000000);
        assert_true(all.complete);
        if (all.traces.entries.count != known[i].traces ||
            all.classes.entries.count != known[i].classes) {
            print_message("%s: %u traces, %u classes; known are %u, %u\n", known[i].text,
                          all.traces.entries.count, all.classes.entries.count, known[i].traces,
                          known[i].classes);
        }
        assert_int_equal(all.traces.entries.count, known[i].traces);
        assert_int_equal(all.classes.entries.count, known[i].classes);
        program_free(&p);
    }
    brute_free(&all);
}

/* The brute force checks that a class has one outcome; and there are never more classes than
 * traces. */
static void test_random_programs(void **state) {
    (void)state;
    brute all = {.observe = true};
    uint32_t fewer = 0;
    for (uint64_t i = 0; i < 500; i++) {
        sketch s;
        printed text;
        program p;
        parse_error error;
        generator_program(&(generator_request){.seed = 4, .kind = GENERATOR_ANY_KIND}, i, &s);
        print_sketch(&s, &text);
        assert_true(print_parse(&p, text.text, &error));
        brute_run(&all, &p, BRUTE_MERGED, 10000);
        if (all.complete) {
            assert_true(all.outcomes.entries.count <= all.classes.entries.count);
            assert_true(all.classes.entries.count <= all.traces.entries.count);
            fewer += all.classes.entries.count < all.traces.entries.count;
        }
        program_free(&p);
    }
    assert_true(fewer > 100);
    brute_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_counts),
                                       cmocka_unit_test(test_random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
