#include "base/choice_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* One of three; after the second of them, one of two. */
static uint32_t run(choice_path *p) {
    p->used = 0;
    uint32_t first = choice_path_choose(p, 3);
    return 10 * first + (first == 1 ? choice_path_choose(p, 2) : 0);
}

static void every_leaf_comes_once_and_by_its_number(void **state) {
    (void)state;
    static const uint32_t results[] = {0, 10, 11, 20}, numbers[] = {0, 1, 4, 2};
    choice_path all = {0}, one = {0};
    uint32_t count = 0, number;
    choice_path_start(&all, 0);
    do {
        assert_true(count < 4);
        assert_int_equal(run(&all), results[count]);
        assert_true(choice_path_number(&all, &number));
        assert_int_equal(number, numbers[count]);
        choice_path_start(&one, number);
        assert_int_equal(run(&one), results[count]);
        count++;
    } while (choice_path_next(&all, 0));
    assert_int_equal(count, 4);
    choice_path_free(&all);
    choice_path_free(&one);
}

static void what_is_decided_stays(void **state) {
    (void)state;
    choice_path p = {0};
    choice_path_start(&p, 1);
    assert_int_equal(run(&p), 10);
    assert_true(choice_path_next(&p, 1));
    assert_int_equal(run(&p), 11);
    assert_false(choice_path_next(&p, 1));
    choice_path_free(&p);
}

static void too_many_paths_have_no_number(void **state) {
    (void)state;
    choice_path p = {0};
    uint32_t number = 0;
    choice_path_start(&p, 0);
    for (uint32_t i = 0; i < 31; i++) {
        choice_path_choose(&p, 2);
    }
    assert_true(choice_path_number(&p, &number));
    choice_path_choose(&p, 2);
    assert_false(choice_path_number(&p, &number));
    choice_path_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_leaf_comes_once_and_by_its_number),
        cmocka_unit_test(what_is_decided_stays),
        cmocka_unit_test(too_many_paths_have_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
