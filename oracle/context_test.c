/* The programs on which context-sensitive DPOR as published (ISSTA 2019) misses something, with
 * their threads in all orders, which is: under all orders of priorities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dpor/registry.h"
#include "oracle/differ.h"
#include "oracle/promise.h"

#define MOST_THREADS 4

typedef struct counterexample {
    const char *name, *shared;
    const char *threads[MOST_THREADS]; /* NULL after the last */
    uint32_t missed; /* what Algorithm 1, or with it Algorithm 2, is known to miss */
    const char *misses;
} counterexample;

static const counterexample programs[] = {
    {"CE1",
     "shared x; ",
     {"thread p0 { assert(x > 1); } ", "thread p1 { fetch_add(x, 1); } ", "thread p2 { x = 2; } ",
      "thread p3 { local a = x; } "},
     PROMISE_FINALS,
     "published-context"},
    {"CE2",
     "shared x; ",
     {"thread p0 { assert(x == 1); } ", "thread p1 { assert(x > 1); } ", "thread p2 { x = 2; } ",
      "thread p3 { x = 1; } "},
     PROMISE_FINALS,
     "published-context"},
    {"CE3",
     "shared x; ",
     {"thread p1 { x = 1; } ", "thread p2 { x = 2; } ",
      "thread m { join p1; join p2; assert(x < 3); assert(x == 2); } ", NULL},
     PROMISE_ERRORS,
     "published-context-observers"},
    {"CE4",
     "shared x; shared y; ",
     {"thread p0 { y = 2; assert(x == 0); } ", "thread p1 { fetch_add(x, 1); } ",
      "thread p2 { y = 1; local a = y; } ", NULL},
     PROMISE_RESULTS,
     "published-context-observers"},
    {"CE5",
     "shared x; shared y; ",
     {"thread p0 { x = 1; fetch_add(x, 1); } ", "thread p1 { y = 1; } ",
      "thread p2 { x = 2; fetch_add(y, 1); } ", NULL},
     PROMISE_CLASSES,
     "published-context-observers"},
};

/* Whether the strategy keeps the promises with the threads in this order. */
static bool keeps(const char *strategy, uint32_t promises, const counterexample *c,
                  const uint32_t *order, uint32_t count) {
    char text[600];
    strcpy(text, c->shared);
    for (uint32_t i = 0; i < count; i++) {
        strcat(text, c->threads[order[i]]);
    }
    defendant who = {.class = strategy_find(strategy), .promises = promises};
    assert_non_null(who.class);
    differ_settings settings = {
        .defendants = &who, .defendant_count = 1, .prefix_limit = 100000, .policies = 20};
    differ_result result;
    differ_test(&settings, text, &result);
    assert_true(result.tested);
    return result.difference.kind == DIFFERENCE_NONE;
}

/* In how many orders of the threads the strategy fails. */
static uint32_t count_failures(const char *strategy, uint32_t promises, const counterexample *c,
                               uint32_t *order, uint32_t fixed, uint32_t count) {
    if (fixed == count) {
        return !keeps(strategy, promises, c, order, count);
    }
    uint32_t failures = 0;
    for (uint32_t i = fixed; i < count; i++) {
        uint32_t other = order[fixed];
        order[fixed] = order[i];
        order[i] = other;
        failures += count_failures(strategy, promises, c, order, fixed + 1, count);
        order[i] = order[fixed];
        order[fixed] = other;
    }
    return failures;
}

static uint32_t failures_of(const char *strategy, uint32_t promises, const counterexample *c) {
    uint32_t order[MOST_THREADS] = {0, 1, 2, 3}, count = 0;
    while (count < MOST_THREADS && c->threads[count]) {
        count++;
    }
    return count_failures(strategy, promises, c, order, 0, count);
}

static void sound_strategies_miss_nothing(void **state) {
    (void)state;
    const char *const strategies[] = {"context-source", "context", "context-observers"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        for (size_t s = 0; s < 3; s++) {
            uint32_t failures = failures_of(strategies[s], promise_of(strategies[s]), &programs[i]);
            if (failures) {
                print_error("%s: %s fails in %u orders\n", programs[i].name, strategies[s],
                            failures);
            }
            assert_int_equal(failures, 0);
        }
    }
}

static void published_strategies_miss_something(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const counterexample *c = &programs[i];
        uint32_t failures = failures_of(c->misses, c->missed, c);
        if (!failures) {
            print_error("%s: %s misses nothing\n", c->name, c->misses);
        }
        assert_true(failures > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_strategies_miss_nothing),
        cmocka_unit_test(published_strategies_miss_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
