#include "core/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"

enum { STRIDE = 2 * CLOCK_LANE };

static void rows_are_padded(void **state) {
    (void)state;
    assert_int_equal(clock_stride(1), CLOCK_LANE);
    assert_int_equal(clock_stride(CLOCK_LANE), CLOCK_LANE);
    assert_int_equal(clock_stride(CLOCK_LANE + 1), 2 * CLOCK_LANE);
}

static void joining_takes_the_greater(void **state) {
    (void)state;
    uint32_t clock[STRIDE] = {3, 0, 7}, other[STRIDE] = {1, 2, 7};
    clock[STRIDE - 1] = 4;
    other[STRIDE - 2] = 5;
    clock_join(clock, other, STRIDE);
    const uint32_t expected[STRIDE] = {3, 2, 7, [STRIDE - 2] = 5, [STRIDE - 1] = 4};
    assert_memory_equal(clock, expected, sizeof expected);
}

static void every_counter_can_exceed(void **state) {
    (void)state;
    for (uint32_t i = 0; i < STRIDE; i++) {
        uint32_t clock[STRIDE] = {0}, other[STRIDE] = {0};
        assert_false(clock_exceeds(clock, other, STRIDE));
        clock[i] = 1;
        assert_true(clock_exceeds(clock, other, STRIDE));
        assert_false(clock_exceeds(other, clock, STRIDE));
        other[i] = INT32_MAX;
        assert_false(clock_exceeds(clock, other, STRIDE));
    }
}

static void what_was_joined_does_not_exceed(void **state) {
    (void)state;
    random_source random = {3};
    for (uint32_t round = 0; round < 1000; round++) {
        uint32_t clock[STRIDE], other[STRIDE];
        for (uint32_t i = 0; i < STRIDE; i++) {
            clock[i] = random_below(&random, 4);
            other[i] = random_below(&random, 4);
        }
        clock_join(clock, other, STRIDE);
        assert_false(clock_exceeds(other, clock, STRIDE));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_padded),
        cmocka_unit_test(joining_takes_the_greater),
        cmocka_unit_test(every_counter_can_exceed),
        cmocka_unit_test(what_was_joined_does_not_exceed),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
