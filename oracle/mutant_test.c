/* The oracle can fail: every strategy with a deliberate fault is caught, and what catches it can be
 * made small. */
#include "oracle/mutant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/generator.h"
#include "oracle/print.h"
#include "oracle/promise.h"
#include "oracle/shrink.h"

extern const strategy_class mutant_optimal_reads_ignored;

static void test_every_mutant_is_caught(void **state) {
    (void)state;
    assert_int_equal(mutant_hunt(1, MUTANT_PROGRAMS, NULL), 0);
}

/* POP as printed, one correction taken back at a time, on the programs that docs/ALGORITHMS.md
 * gives as witnesses. */
#define CORRECTIONS(X)                                                           \
    X(pop_blocks_after_related, "wx1 / rx / rx")             /* P1 */            \
    X(pop_related_empty, "wy1 / rx ry / wx1 / ry rx")        /* P2 */            \
    X(pop_related_grows_rarely, "wx1 / wy1 / rx / rx ry rx") /* P3 */            \
    X(pop_related_grows_rarely, "wx1 / wy1 / rx ry rx / ry rx")                  \
    X(pop_head_not_closing, "wx1 / wx2 / rx / rx") /* P4, P5 */                  \
    X(pop_inherited_after_head, "wx1 / wx2 / rx / rx")                           \
    X(pop_inherited_as_stored, "wx1 / wy1 / wz1 / ry rz rx / rz ry rx") /* P6 */ \
    X(pop_inner_discarded, "ry rx / ry rx ry rx / wx1 / wy1")           /* P7 */

static void test_corrections_have_witnesses(void **state) {
    (void)state;
    uint32_t escaped = 0;
#define TRY(name, witness)                                                        \
    {                                                                             \
        extern const strategy_class mutant_##name;                                \
        defendant who = {.class = &mutant_##name, .promises = promise_of("pop")}; \
        differ_result result;                                                     \
        shrink_test(&who, witness, DIFFER_POLICIES_MANY, 120, &result);           \
        if (result.difference.kind == DIFFERENCE_NONE) {                          \
            print_error("%s: nothing wrong with %s\n", #name, witness);           \
            escaped++;                                                            \
        }                                                                         \
    }
    CORRECTIONS(TRY)
#undef TRY
    assert_int_equal(escaped, 0);
}

static uint32_t count_ops(const sketch *s) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        count += s->threads[t].count;
    }
    return count;
}

/* A write and a read that race are all that it takes. */
static void test_shrinks_to_the_core(void **state) {
    (void)state;
    defendant who = {.class = &mutant_optimal_reads_ignored, .promises = promise_of("optimal")};
    uint32_t shrunk = 0;
    for (uint64_t i = 0; i < 10; i++) {
        sketch s;
        printed text;
        differ_result result;
        generator_program(&(generator_request){.seed = 1}, i, &s);
        print_sketch(&s, &text);
        shrink_test(&who, text.text, DIFFER_POLICIES, 30, &result);
        if (result.difference.kind == DIFFERENCE_MISSING_TRACE) {
            shrink_sketch(&s, &who, false, &result.difference);
            assert_int_equal(result.difference.kind, DIFFERENCE_MISSING_TRACE);
            assert_true(s.thread_count == 2 && count_ops(&s) == 2);
            shrunk++;
        }
    }
    assert_true(shrunk > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mutant_is_caught),
        cmocka_unit_test(test_corrections_have_witnesses),
        cmocka_unit_test(test_shrinks_to_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
