/* The target that knows its states against the interpreter: the same steps, the same answers. */
#include "oracle/known_states.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "oracle/print.h"
#include "targets/abstract/interpreter.h"

static void compare_operations(const operation *a, const operation *b) {
    assert_int_equal(a == NULL, b == NULL);
    if (a) {
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->flags, b->flags);
        assert_int_equal(a->footprint, b->footprint);
        assert_int_equal(a->location, b->location);
        assert_int_equal(a->expected, b->expected);
        assert_int_equal(a->cause_count, b->cause_count);
        assert_int_equal(operation_alternatives(a), operation_alternatives(b));
        for (uint32_t i = 0; i < operation_alternatives(a); i++) {
            assert_int_equal(operation_choice(a, i), operation_choice(b, i));
        }
    }
}

/* Some enabled thread, or the number of them. */
static uint32_t pick(target *t, random_source *random) {
    uint32_t count = t->class->thread_count(t), at = random_below(random, count);
    for (uint32_t tried = 0; tried < count; tried++, at = (at + 1) % count) {
        const operation *pending = t->class->pending(t, at);
        if (pending && operation_enabled(pending)) {
            return at;
        }
    }
    return count;
}

static void compare_states(target *a, target *b, uint32_t cells) {
    assert_int_equal(a->class->thread_count(a), b->class->thread_count(b));
    for (uint32_t t = 0; t < a->class->thread_count(a); t++) {
        compare_operations(a->class->pending(a, t), b->class->pending(b, t));
    }
    for (uint32_t i = 0; i < cells; i++) {
        assert_int_equal(a->class->value(a, i), b->class->value(b, i));
    }
}

/* To the same prefix in both. */
static void go_back(target *a, target *b, uint32_t length, const step *steps) {
    uint32_t from = b->class->back(b, length);
    assert_int_equal(a->class->back(a, length), length);
    target_replay(b, steps + from, length - from);
}

/* One execution from `length` steps on; returns how long it is. */
static uint32_t run(target *a, target *b, random_source *random, step *steps, uint32_t length,
                    uint32_t cells) {
    for (;; length++) {
        compare_states(a, b, cells);
        uint32_t thread = pick(a, random);
        if (thread == a->class->thread_count(a)) {
            assert_int_equal(a->class->ending(a), b->class->ending(b));
            return length;
        }
        const operation *pending = a->class->pending(a, thread);
        uint32_t choice =
            operation_choice(pending, random_below(random, operation_alternatives(pending)));
        step_result left, right;
        a->class->step(a, thread, choice, &left);
        b->class->step(b, thread, choice, &right);
        assert_int_equal(left.value, right.value);
        assert_int_equal(left.acquired, right.acquired);
        assert_int_equal(left.error == NULL, right.error == NULL);
        steps[length] = (step){thread, choice};
    }
}

/* Whether the states at the end of two executions are equal. */
static void compare_equality(target *a, target *b, const void *first_a, const void *first_b) {
    char state_a[64], state_b[8192];
    assert_true(a->class->state_size(a) <= sizeof state_a);
    assert_true(b->class->state_size(b) <= sizeof state_b);
    a->class->save(a, state_a);
    b->class->save(b, state_b);
    assert_int_equal(a->class->equal(a, first_a, state_a), b->class->equal(b, first_b, state_b));
    for (uint32_t t = 0; t < a->class->thread_count(a); t++) {
        assert_int_equal(a->class->equal_thread(a, first_a, state_a, t),
                         b->class->equal_thread(b, first_b, state_b, t));
    }
}

static void walk(const char *text) {
    program p;
    parse_error error;
    step steps[64];
    char first_a[64], first_b[8192];
    random_source random = {7};
    assert_true(print_parse(&p, text, &error));
    target *inner = interpreter_create(&p), *b = interpreter_create(&p);
    assert_true(known_states_suit(inner, &p));
    target *a = known_states_create(inner, &p);
    a->class->reset(a);
    b->class->reset(b);
    uint32_t length = run(a, b, &random, steps, 0, p.cells.count);
    a->class->save(a, first_a);
    b->class->save(b, first_b);
    for (uint32_t i = 0; i < 200; i++) {
        go_back(a, b, random_below(&random, length + 1), steps);
        uint32_t kept = a->class->back(a, UINT32_MAX);
        length = run(a, b, &random, steps, kept, p.cells.count);
        compare_equality(a, b, first_a, first_b);
    }
    a->class->restore(a, first_a);
    b->class->restore(b, first_b);
    compare_states(a, b, p.cells.count);
    a->class->destroy(a);
    b->class->destroy(b);
    program_free(&p);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static void same_as_the_interpreter(void **state) {
    (void)state;
    walk("rx / wx1 / wy1 / ry wx1 / wy1 rx");
    walk("rx / k0 wx1 / [wx1,wy1] / wy1 k0 / k0 rx");
    walk("cx1 ix0 wx1 / k0 wx1 / l0 u0 / cx1");
    walk("wx1 / l0 rx u0 / [rx,wy1] k0 rx / k0 wx1 / rx");
    walk("iy0 ax / wy1 / rx / [?wy0,ax,ay] / wx1 iy0");
    walk("l0 u0 u0 / l0 u0");
}

static void what_does_not_suit(void **state) {
    (void)state;
    program p;
    parse_error error;
    assert_true(print_parse(&p, "P0 / V0 wx1", &error));
    target *inner = interpreter_create(&p);
    assert_false(known_states_suit(inner, &p));
    inner->class->destroy(inner);
    program_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_the_interpreter),
                                       cmocka_unit_test(what_does_not_suit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
