#include "dpor/sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static void push(step_sequence *s, uint32_t thread, footprint f) {
    vector_push(s, (sleeper){thread, CHOICE_NONE, f});
}

static void finish(step_sequence *s) {
    vector_free(s);
    assert_int_equal(memory_in_use(), 0);
}

static void the_first_step_of_a_thread_is_removed(void **state) {
    (void)state;
    step_sequence s = {0};
    push(&s, P, reads(X));
    push(&s, Q, reads(Y));
    push(&s, Q, reads(Z));
    push(&s, P, writes(X));
    assert_true(sequence_remove(&s, Q));
    assert_int_equal(s.count, 3);
    assert_true(vector_at(&s, 0).footprint == reads(X));
    assert_true(vector_at(&s, 1).footprint == reads(Z));
    assert_true(vector_at(&s, 2).footprint == writes(X));
    finish(&s);
}

static void a_thread_without_steps_removes_nothing(void **state) {
    (void)state;
    step_sequence s = {0};
    assert_false(sequence_remove(&s, P));
    push(&s, P, reads(X));
    assert_false(sequence_remove(&s, Q));
    assert_int_equal(s.count, 1);
    assert_true(sequence_contains(&s, P));
    assert_false(sequence_contains(&s, Q));
    finish(&s);
}

static void a_copy_stands_on_its_own(void **state) {
    (void)state;
    step_sequence s = {0}, copy = {0};
    push(&copy, R, writes(Z));
    push(&copy, R, writes(Z));
    push(&s, P, reads(X));
    sequence_copy(&copy, &s);
    assert_true(sequence_remove(&s, P));
    assert_int_equal(copy.count, 1);
    assert_int_equal(vector_at(&copy, 0).thread, P);
    sequence_copy(&copy, &s);
    assert_int_equal(copy.count, 0);
    vector_free(&copy);
    finish(&s);
}

static void an_event_becomes_a_step(void **state) {
    (void)state;
    event e = {.thread = Q, .choice = 3, .footprint = writes(Y)};
    sleeper s = sequence_step_of(&e);
    assert_int_equal(s.thread, Q);
    assert_int_equal(s.choice, 3);
    assert_true(s.footprint == writes(Y));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_step_of_a_thread_is_removed),
        cmocka_unit_test(a_thread_without_steps_removes_nothing),
        cmocka_unit_test(a_copy_stands_on_its_own),
        cmocka_unit_test(an_event_becomes_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
