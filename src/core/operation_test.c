#include "core/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_kind_has_a_word_of_its_own(void **state) {
    (void)state;
    assert_string_equal(operation_word(OPERATION_READ), "read");
    assert_string_equal(operation_word(OPERATION_MODIFY), "fetch-and-modify");
    for (unsigned i = 0; i < OPERATION_KIND_COUNT; i++) {
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(operation_word(i), operation_word(j));
        }
    }
}

/* Reports need a phrase for whatever may block, and a name for whatever has a role
 * that is about an object. */
static void the_table_is_consistent(void **state) {
    (void)state;
    for (unsigned i = 0; i < OPERATION_KIND_COUNT; i++) {
        if (operation_has_role(i, ROLE_RESUMES | ROLE_AWAITS)) {
            assert_non_null(operation_table[i].blocked);
        }
        unsigned about_none = ROLE_YIELDS | ROLE_SECTION | ROLE_SELECTS | ROLE_FENCES |
                              ROLE_CHOOSES | ROLE_REPEATS | ROLE_REPEATS_TIMED;
        if (operation_table[i].roles & ~about_none) {
            assert_true(operation_shows(i, SHOWS_OBJECT));
        }
        assert_false(operation_shows(i, SHOWS_OBJECT) && operation_shows(i, SHOWS_THREAD));
        assert_false(operation_shows(i, SHOWS_RESULT) && operation_shows(i, SHOWS_VALUE));
    }
}

static void operations_make_states(void **state) {
    (void)state;
    const uint64_t written = UINT64_MAX;
    const struct {
        enum operation_kind kind;
        uint64_t old, made;
    } rows[] = {
        {OPERATION_LOCK, 0, 1},
        {OPERATION_UNLOCK, 1, 0},
        {OPERATION_UNLOCK, 3, 2},
        {OPERATION_UNLOCK, written, 0},
        {OPERATION_SEMAPHORE_TRY, 0, 0},
        {OPERATION_SEMAPHORE_WAIT, 2, 1},
        {OPERATION_POST, 2, 3},
        {OPERATION_READ_LOCK, 0, 1},
        {OPERATION_TRY_READ_LOCK, written, written},
        {OPERATION_TRY_WRITE_LOCK, 1, 1},
        {OPERATION_WRITE_LOCK, 0, written},
        {OPERATION_WAIT, 1, 9},
        {OPERATION_BROADCAST, 9, 0},
        {OPERATION_ONCE, 0, 1},
        {OPERATION_ONCE_END, 1, 2},
        {OPERATION_ONCE_LEFT, 1, 0},
    };
    uint64_t made;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(operation_makes(rows[i].kind, 3, rows[i].old, &made));
        assert_int_equal(made, rows[i].made);
    }
    assert_false(operation_makes(OPERATION_READ, 3, 0, &made));
}

/* What holds if the value is less than, equal to, greater than what is expected. */
static void comparisons_are_signed(void **state) {
    (void)state;
    static const struct {
        enum operation_compare compare;
        bool less, equal, greater;
    } rows[] = {
        {OPERATION_IS_EQUAL, false, true, false},   {OPERATION_IS_NOT_EQUAL, true, false, true},
        {OPERATION_IS_LESS, true, false, false},    {OPERATION_IS_LESS_EQUAL, true, true, false},
        {OPERATION_IS_GREATER, false, false, true}, {OPERATION_IS_GREATER_EQUAL, false, true, true},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum operation_compare compare = rows[i].compare;
        assert_int_equal(operation_compare_holds(compare, (uint64_t)-1, 0), rows[i].less);
        assert_int_equal(operation_compare_holds(compare, (uint64_t)-1, (uint64_t)-1),
                         rows[i].equal);
        assert_int_equal(operation_compare_holds(compare, 1, (uint64_t)-1), rows[i].greater);
    }
}

static void without_a_choice_there_is_one_alternative(void **state) {
    (void)state;
    const operation plain = {.kind = OPERATION_READ};
    assert_int_equal(operation_alternatives(&plain), 1);
    assert_int_equal(operation_choice(&plain, 0), CHOICE_NONE);
}

static void choices_count_from_zero_or_are_listed(void **state) {
    (void)state;
    const operation dense = {.kind = OPERATION_CHOOSE, .choice_count = 3};
    assert_int_equal(operation_alternatives(&dense), 3);
    assert_int_equal(operation_choice(&dense, 2), 2);
    const uint32_t waiters[] = {4, 9};
    const operation listed = {.kind = OPERATION_SIGNAL, .choice_count = 2, .choices = waiters};
    assert_int_equal(operation_alternatives(&listed), 2);
    assert_int_equal(operation_choice(&listed, 1), 9);
}

static void causes_name_the_last_event_of_a_prefix(void **state) {
    (void)state;
    const cause causes[] = {{1, 3}, {2, 1}};
    const operation op = {.causes = causes, .cause_count = 2};
    assert_true(operation_caused_by(&op, 1, 2));
    assert_false(operation_caused_by(&op, 1, 1));
    assert_true(operation_caused_by(&op, 2, 0));
    assert_false(operation_caused_by(&op, 0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_word_of_its_own),
        cmocka_unit_test(the_table_is_consistent),
        cmocka_unit_test(operations_make_states),
        cmocka_unit_test(comparisons_are_signed),
        cmocka_unit_test(without_a_choice_there_is_one_alternative),
        cmocka_unit_test(choices_count_from_zero_or_are_listed),
        cmocka_unit_test(causes_name_the_last_event_of_a_prefix),
    };
    return cmocka_run_group_tests_name("operation", tests, NULL, NULL);
}
