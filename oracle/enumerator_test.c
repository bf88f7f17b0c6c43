#include "oracle/enumerator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/print.h"

static uint64_t count_with(const char *kinds, uint32_t operations, uint32_t values,
                           uint32_t accesses) {
    static enumerator e;
    sketch s;
    uint64_t count = 0;
    enumerator_request q = {{kinds, 2, 1, values}, operations, operations, 5, accesses};
    assert_true(enumerator_init(&e, &q));
    while (enumerator_program(&e, count, &s)) {
        count++;
    }
    return count;
}

static uint64_t count_programs(const char *kinds, uint32_t operations, uint32_t values) {
    return count_with(kinds, operations, values, 0);
}

/* The numbers come from an enumeration that was written apart from this one. */
static void test_counts(void **state) {
    (void)state;
    assert_int_equal(count_programs("rw", 2, 1), 2);
    assert_int_equal(count_programs("rw", 3, 1), 8);
    assert_int_equal(count_programs("rw", 4, 1), 52);
    assert_int_equal(count_programs("rw", 5, 1), 348);
    assert_int_equal(count_programs("wr", 5, 1), 348);
}

/* wx1 / wx1 and wx1 / wx2 are two programs; wx2 / wx2 is the first again. */
static void test_values_have_no_names(void **state) {
    (void)state;
    assert_int_equal(count_programs("w", 2, 1), 1);
    assert_int_equal(count_programs("w", 2, 2), 2);
}

static void test_sections_count_as_their_accesses(void **state) {
    (void)state;
    assert_int_equal(count_with("rw", 4, 1, 3), 0);
    assert_int_equal(count_with("rw", 4, 1, 4), count_programs("rw", 4, 1));
    assert_int_equal(count_with("rws", 3, 1, 3), count_programs("rw", 3, 1));
    assert_int_equal(count_with("s", 2, 1, 3), 0);
    assert_int_equal(count_with("s", 2, 1, 4), count_programs("s", 2, 1));
}

static void test_every_program_can_be_parsed(void **state) {
    (void)state;
    static enumerator e;
    enumerator_request q = {{"rwacilukts", 2, 1, 1}, 2, 3, 3, 0};
    sketch s;
    printed text;
    assert_true(enumerator_init(&e, &q));
    for (uint64_t i = 0; enumerator_program(&e, i, &s); i += 7) {
        program p;
        parse_error error;
        print_sketch(&s, &text);
        assert_true(print_parse(&p, text.text, &error));
        program_free(&p);
    }
}

static void test_an_earlier_program_can_be_asked_for_again(void **state) {
    (void)state;
    static enumerator e;
    enumerator_request q = {{"rw", 2, 1, 1}, 2, 4, 5, 0};
    sketch s;
    printed first, again;
    assert_true(enumerator_init(&e, &q));
    assert_true(enumerator_program(&e, 20, &s));
    print_sketch(&s, &first);
    assert_true(enumerator_program(&e, 61, &s));
    assert_false(enumerator_program(&e, 62, &s));
    assert_true(enumerator_program(&e, 20, &s));
    print_sketch(&s, &again);
    assert_string_equal(first.text, again.text);
}

static void test_senseless_requests(void **state) {
    (void)state;
    static enumerator e;
    assert_false(enumerator_init(&e, &(enumerator_request){{"z", 2, 1, 1}, 2, 4, 5, 0}));
    assert_false(enumerator_init(&e, &(enumerator_request){{"rw", 9, 1, 1}, 2, 4, 5, 0}));
    assert_false(enumerator_init(&e, &(enumerator_request){{"rw", 2, 1, 1}, 4, 2, 5, 0}));
    assert_false(enumerator_init(&e, &(enumerator_request){{"rw", 2, 1, 1}, 2, 4, 1, 0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_values_have_no_names),
        cmocka_unit_test(test_sections_count_as_their_accesses),
        cmocka_unit_test(test_every_program_can_be_parsed),
        cmocka_unit_test(test_an_earlier_program_can_be_asked_for_again),
        cmocka_unit_test(test_senseless_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
