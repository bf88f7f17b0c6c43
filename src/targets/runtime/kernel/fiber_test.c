/* Switching between two stacks: everything that lives across a switch is still there afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "targets/runtime/kernel/fiber.h"

enum { SWITCHES = 1000, STACK_SIZE = 1 << 16, LIVE = 20 };

static fiber_context outside, fiber;
static uint64_t passed, sum_inside;
static double real_inside;

/* More values than there are registers, integer and floating, all alive across every switch. */
static FIBER_RETURN uint64_t switch_often(fiber_context *from, const fiber_context *to,
                                          uint64_t seed, double *real) {
    volatile uint64_t start = seed;
    uint64_t live[LIVE];
    double halves[LIVE];
    for (unsigned i = 0; i < LIVE; i++) {
        live[i] = start + i;
        halves[i] = (double)(start + i) / 2;
    }
    for (unsigned s = 0; s < SWITCHES; s++) {
        passed = passed * 31 + seed;
        fiber_switch(from, to);
#pragma GCC unroll 20
        for (unsigned i = 0; i < LIVE; i++) {
            live[i] += i ^ s;
            halves[i] += 0.5;
        }
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < LIVE; i++) {
        sum += live[i];
        *real += halves[i];
    }
    return sum;
}

/* In the place of the runtime's. */
_Noreturn void runtime_thread_main(void) {
    sum_inside = switch_often(&fiber, &outside, 7, &real_inside);
    fiber_switch(&fiber, &outside);
    abort();
}

static uint64_t expected_sum(uint64_t seed) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < LIVE; i++) {
        sum += seed + i;
        for (unsigned s = 0; s < SWITCHES; s++) {
            sum += i ^ s;
        }
    }
    return sum;
}

static double expected_real(uint64_t seed) {
    double real = 0;
    for (unsigned i = 0; i < LIVE; i++) {
        real += (double)(seed + i) / 2 + 0.5 * SWITCHES;
    }
    return real;
}

static uint64_t expected_order(void) {
    uint64_t order = 0;
    for (unsigned s = 0; s < SWITCHES; s++) {
        order = (order * 31 + 3) * 31 + 7;
    }
    return order;
}

static void what_lives_across_a_switch_survives(void **state) {
    (void)state;
    static char stack[STACK_SIZE] __attribute__((aligned(16)));
    fiber_prepare(&fiber, (uintptr_t)stack + sizeof stack);
    assert_int_equal(fiber.stack_pointer % 16, 0);
    double real = 0;
    uint64_t sum = switch_often(&outside, &fiber, 3, &real);
    assert_int_equal(sum, expected_sum(3));
    assert_true(real == expected_real(3));
    assert_true(passed == expected_order());
    fiber_switch(&outside, &fiber); /* its last round */
    assert_int_equal(sum_inside, expected_sum(7));
    assert_true(real_inside == expected_real(7));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lives_across_a_switch_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
