#include "dpor/preference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_one_order_per_pair(void **state) {
    (void)state;
    preference_table p = {0};
    event_name a = {0, 3}, b = {1, 3};
    assert_false(preference_holds(&p, a, b));
    preference_settle(&p, a, b);
    assert_true(preference_holds(&p, a, b));
    assert_false(preference_holds(&p, b, a));
    preference_settle(&p, a, b);
    assert_true(preference_is_first(&p, a));
    assert_false(preference_is_first(&p, b));
    preference_free(&p);
}

static void test_many_pairs(void **state) {
    (void)state;
    preference_table p = {0};
    for (uint32_t i = 0; i < 2000; i++) {
        preference_settle(&p, (event_name){i % 7, i}, (event_name){7, i / 3});
    }
    for (uint32_t i = 0; i < 2000; i++) {
        assert_true(preference_holds(&p, (event_name){i % 7, i}, (event_name){7, i / 3}));
        assert_false(preference_holds(&p, (event_name){7, i / 3}, (event_name){i % 7, i}));
        assert_false(preference_holds(&p, (event_name){i % 7, i}, (event_name){8, i / 3}));
    }
    preference_free(&p);
    assert_int_equal(memory_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_order_per_pair),
        cmocka_unit_test(test_many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
