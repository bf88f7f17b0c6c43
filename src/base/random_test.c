#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* The values that the authors of splitmix64 publish: schedules by seed must mean the same
 * everywhere. */
static void is_splitmix64(void **state) {
    (void)state;
    random_source source = {1234567};
    assert_true(random_next(&source) == 6457827717110365317u);
    assert_true(random_next(&source) == 3203168211198807973u);
    assert_true(random_next(&source) == 9817491932198370423u);
}

static void stays_below_the_bound_and_reaches_all(void **state) {
    (void)state;
    random_source source = {1};
    for (uint32_t bound = 1; bound <= 12; bound++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t number = random_below(&source, bound);
            assert_true(number < bound);
            seen |= 1u << number;
        }
        assert_int_equal(seen, (1u << bound) - 1);
    }
}

static void seeds_differ(void **state) {
    (void)state;
    random_source one = {1}, other = {2};
    assert_true(random_next(&one) != random_next(&other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_splitmix64),
        cmocka_unit_test(stays_below_the_bound_and_reaches_all),
        cmocka_unit_test(seeds_differ),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
