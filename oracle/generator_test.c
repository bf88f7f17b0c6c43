/* Generated programs: the same ones every time, understood by both parsers alike, and hard. */
#include "oracle/generator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/brute.h"
#include "oracle/print.h"

#define PROGRAMS     600
#define PREFIX_LIMIT 20000

static void test_reproducible(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        sketch first, second;
        memset(&first, 1, sizeof first);
        memset(&second, 2, sizeof second);
        assert_int_equal(
            generator_program(&(generator_request){.seed = 1, .kind = GENERATOR_ANY_KIND}, i,
                              &first),
            generator_program(&(generator_request){.seed = 1, .kind = GENERATOR_ANY_KIND}, i,
                              &second));
        printed a, b;
        print_sketch(&first, &a);
        print_sketch(&second, &b);
        assert_string_equal(a.text, b.text);
    }
}

static void explore(const char *text, brute *b) {
    program p;
    parse_error error;
    if (!print_parse(&p, text, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    brute_run(b, &p, BRUTE_MERGED, PREFIX_LIMIT);
    program_free(&p);
}

static void check_same(const brute *a, const brute *b) {
    hash key;
    assert_int_equal(a->interleavings, b->interleavings);
    assert_false(hash_table_missing(&a->traces, &b->traces, &key));
    assert_false(hash_table_missing(&b->traces, &a->traces, &key));
    assert_false(hash_table_missing(&a->states, &b->states, &key));
    assert_int_equal(a->outcomes.entries.count, b->outcomes.entries.count);
}

static void test_both_notations_mean_the_same(void **state) {
    (void)state;
    brute one_line = {0}, language = {0};
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        sketch s;
        printed text;
        generator_program(&(generator_request){.seed = 2, .kind = GENERATOR_ANY_KIND}, i, &s);
        if (!sketch_is_oneline(&s)) {
            continue;
        }
        print_sketch(&s, &text);
        explore(text.text, &one_line);
        if (!one_line.complete) {
            continue;
        }
        print_language(&s, &text);
        explore(text.text, &language);
        assert_true(language.complete);
        check_same(&one_line, &language);
    }
    brute_free(&one_line);
    brute_free(&language);
}

static void test_hard_enough(void **state) {
    (void)state;
    uint32_t tested = 0, many = 0, wide = 0, stuck = 0, errors = 0;
    brute b = {0};
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        sketch s;
        printed text;
        generator_program(&(generator_request){.seed = 1, .kind = GENERATOR_ANY_KIND}, i, &s);
        print_sketch(&s, &text);
        explore(text.text, &b);
        if (b.complete) {
            tested++;
            many += b.traces.entries.count > 50;
            wide += s.thread_count >= 3;
            stuck += b.endings[FINISH_DEADLOCK] || b.endings[FINISH_ASSUMED];
            errors += b.errors.entries.count > 0;
        }
    }
    brute_free(&b);
    assert_true(tested * 10 >= PROGRAMS * 9);
    assert_true(many * 10 >= tested * 3);
    assert_true(wide * 3 >= tested);
    assert_true(stuck * 5 >= tested);
    assert_true(errors * 100 >= tested && errors * 10 <= tested);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_both_notations_mean_the_same),
        cmocka_unit_test(test_hard_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
