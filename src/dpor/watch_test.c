#include "dpor/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"
#include "dpor/mail_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static bool pass(watch *w, uint32_t thread, footprint f) {
    return watch_pass(w, thread, CHOICE_NONE, f);
}

static void add(watch *w, uint32_t thread, footprint f) {
    watch_add(w, thread, CHOICE_NONE, f);
}

static void finish(watch *w) {
    watch_free(w);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static void the_step_itself_makes_it_redundant(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, writes(X));
    assert_false(pass(&w, Q, reads(Y)));
    assert_true(pass(&w, P, writes(X)));
    finish(&w);
}

static void what_is_ordered_ends_the_watch(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, writes(X));
    assert_true(watch_left(&w));
    assert_false(pass(&w, Q, reads(X)));
    assert_false(watch_left(&w));
    finish(&w);
}

static void another_alternative_ends_the_watch(void **state) {
    (void)state;
    watch w = {0};
    watch_add(&w, P, 0, reads(X));
    assert_false(watch_pass(&w, P, 1, reads(X)));
    assert_false(watch_left(&w));
    finish(&w);
}

static void behind_a_write_the_step_owes_an_observation(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, writes(X));
    assert_false(pass(&w, Q, writes(X)));
    assert_false(pass(&w, P, writes(X)));
    assert_true(watch_left(&w)); /* redundant if it ends here */
    assert_false(pass(&w, R, reads(X)));
    assert_false(watch_left(&w)); /* ordered after Q's write: not redundant */
    finish(&w);
}

static void an_overwritten_write_can_no_longer_be_observed(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, writes(X));
    assert_false(pass(&w, Q, writes(X)));
    assert_false(pass(&w, P, writes(X)));
    assert_true(pass(&w, R, writes(X)));
    finish(&w);
}

static void a_send_owes_that_an_earlier_one_is_taken(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, send(1));
    assert_false(pass(&w, Q, send(1)));
    assert_false(pass(&w, P, send(1)));
    assert_true(watch_left(&w));
    assert_false(pass(&w, R, receive(1)));
    assert_false(watch_left(&w));
    finish(&w);
}

static void a_send_that_is_taken_itself_had_no_predecessor(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, send(1));
    assert_false(pass(&w, Q, send(2)));
    assert_false(pass(&w, P, send(1)));
    assert_true(pass(&w, R, receive(1)));
    finish(&w);
}

static void a_watched_send_ends_when_another_is_taken_in_its_place(void **state) {
    (void)state;
    watch w = {0};
    add(&w, P, send(1));
    assert_false(pass(&w, Q, send(1)));
    assert_false(pass(&w, R, receive_any()));
    assert_false(watch_left(&w));
    finish(&w);
}

static void forgetting_keeps_the_mail(void **state) {
    (void)state;
    watch w = {0}, copy = {0};
    assert_false(pass(&w, Q, send(1)));
    add(&w, P, reads(X));
    watch_copy(&copy, &w);
    watch_forget(&copy);
    assert_false(watch_left(&copy));
    assert_int_equal(copy.mail.messages.count, 1);
    assert_true(watch_left(&w));
    watch_free(&copy);
    finish(&w);
}

static void a_sequence_is_covered_by_what_is_left_at_its_end(void **state) {
    (void)state;
    watch w = {0};
    step_sequence s = {0};
    assert_false(watch_covers(&w, &s));
    vector_push(&s, (sleeper){Q, CHOICE_NONE, reads(Y)});
    add(&w, P, writes(X));
    assert_true(watch_covers(&w, &s));
    vector_push(&s, (sleeper){Q, CHOICE_NONE, reads(X)});
    assert_false(watch_covers(&w, &s));
    vector_free(&s);
    finish(&w);
}

static void prefixes_have_watches_of_their_own(void **state) {
    (void)state;
    watch_stack s;
    event p = {.thread = P, .choice = CHOICE_NONE, .footprint = writes(X)};
    event q = {.thread = Q, .choice = CHOICE_NONE, .footprint = reads(X)};
    watch_stack_init(&s);
    watch_stack_descend(&s, &p);
    assert_false(watch_left(watch_stack_at(&s, 1)));
    watch_stack_ascend(&s, 0, &p);
    assert_true(watch_left(watch_stack_at(&s, 0)));
    watch_stack_descend(&s, &q);
    assert_false(watch_left(watch_stack_at(&s, 1)));
    watch_stack_ascend(&s, 0, &q);
    assert_int_equal(watch_stack_at(&s, 0)->steps.count, 2);
    watch_stack_free(&s);
    assert_int_equal(memory_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_itself_makes_it_redundant),
        cmocka_unit_test(what_is_ordered_ends_the_watch),
        cmocka_unit_test(another_alternative_ends_the_watch),
        cmocka_unit_test(behind_a_write_the_step_owes_an_observation),
        cmocka_unit_test(an_overwritten_write_can_no_longer_be_observed),
        cmocka_unit_test(a_send_owes_that_an_earlier_one_is_taken),
        cmocka_unit_test(a_send_that_is_taken_itself_had_no_predecessor),
        cmocka_unit_test(a_watched_send_ends_when_another_is_taken_in_its_place),
        cmocka_unit_test(forgetting_keeps_the_mail),
        cmocka_unit_test(a_sequence_is_covered_by_what_is_left_at_its_end),
        cmocka_unit_test(prefixes_have_watches_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
