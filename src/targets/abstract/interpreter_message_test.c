/* Messages in abstract programs: what is pending, what a step does, what is said about it. */
#include <stdio.h>

#include "targets/abstract/interpreter_fixture_test.h"
#include "targets/abstract/mailbox.h"

static step_result take_any(uint32_t thread) {
    take_choice(thread, CHOICE_NONE);
    return result;
}

static void expect_description(uint32_t object, const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    machine->class->describe_object(machine, object, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static bool conflict(uint32_t a, footprint other) {
    return footprint_conflict(pending(a)->footprint, other);
}

static void blocking(void **state) {
    (void)state;
    load("S1.5 / M5 / S1.6");
    footprint send5 = pending(0)->footprint, send6 = pending(2)->footprint;
    assert_false(operation_enabled(pending(1)));
    expect_description(pending(1)->object, "5; its mailbox is empty");
    take_any(2);
    assert_false(operation_enabled(pending(1)));
    expect_description(pending(1)->object, "5; its mailbox holds 6 from p2");
    expect_description(pending(0)->object, "5 to p1");
    take_any(0);
    const operation *receive = pending(1);
    assert_int_equal(receive->kind, OPERATION_RECEIVE);
    assert_false(footprint_conflict(receive->footprint, send5));
    assert_false(footprint_conflict(receive->footprint, send6));
    assert_int_equal(receive->cause_count, 1);
    assert_int_equal(receive->causes[0].thread, 0);
    assert_int_equal(receive->causes[0].events, 1);
    expect_description(receive->object, "5");
    assert_int_equal(take_any(1).value, 5);
    assert_int_equal(machine->class->ending(machine), ENDING_COMPLETE);
}

static void order_of_arrival(void **state) {
    (void)state;
    load("S1.5 S1.6 S1.5 / M6 M M5 N");
    take_any(0), take_any(0), take_any(0);
    assert_int_equal(take_any(1).value, 6);
    assert_int_equal(take_any(1).value, 5);
    assert_int_equal(take_any(1).value, 5);
    assert_int_equal(take_any(1).value, 0);
}

static void dependence(void **state) {
    (void)state;
    load("S2.5 / S2.6 / N5 / S0.5 / N");
    footprint send5 = pending(0)->footprint, send6 = pending(1)->footprint;
    assert_true(footprint_conflict(send5, send6));
    assert_false(conflict(3, send5));
    /* Nothing there: only the message that it could have taken matters. */
    assert_true(pending(2)->flags & OPERATION_VARIES);
    assert_true(conflict(2, send5));
    assert_false(conflict(2, send6));
    assert_false(conflict(4, send5));
    /* Something there: only the send of what it takes. */
    take_any(0);
    assert_true(conflict(2, send5));
    assert_int_equal(pending(2)->cause_count, 0);
    /* The same numbers after a reset. */
    footprint taking = pending(2)->footprint;
    machine->class->reset(machine);
    assert_int_equal(pending(0)->footprint, send5);
    take_any(1), take_any(0);
    assert_int_equal(pending(2)->footprint, taking);
}

static void values_and_senders(void **state) {
    (void)state;
    load_file(
        "shared x, y; thread p { send(q, 1, 42); } thread r { send(q, 2, 43); }"
        "thread q { local tag = receive(1, 2); x = value() * 100 + sender(); y = tag;"
        "           x = receive() after 0; x = receive(7) after 0; }");
    take_any(1), take_any(0);
    assert_int_equal(take_any(2).value, 2);
    assert_int_equal(take_any(2).value, 4301);
    assert_int_equal(take_any(2).value, 2);
    assert_int_equal(take_any(2).value, 1);
    take_any(2);
    assert_int_equal((int64_t)take_any(2).value, -1);
}

static void states(void **state) {
    (void)state;
    char saved[8192], other[8192];
    load("S1.5 S1.6 / M5 M6");
    assert_true(machine->class->state_size(machine) <= sizeof saved);
    take_any(0), take_any(0), take_any(1);
    machine->class->save(machine, saved);
    take_any(1);
    machine->class->restore(machine, saved);
    assert_int_equal(take_any(1).value, 6);
    machine->class->reset(machine);
    take_any(0), take_any(0), take_any(1);
    machine->class->save(machine, other);
    assert_true(machine->class->equal(machine, saved, other));
}

static void a_full_mailbox(void **state) {
    (void)state;
    load_file("thread p { while (1) { send(q, 1); } } thread q { while (1) { receive(); } }");
    for (uint32_t i = 0; i < MAILBOX_LIMIT; i++) {
        assert_null(take_any(0).error);
        assert_null(take_any(1).error);
    }
    result = take_any(0);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, ERROR_UNFINISHED);
    assert_non_null(strstr(result.error->message, "mailbox full"));
}

static void broken_tags(void **state) {
    (void)state;
    load_file("shared x; thread p { receive(1, 1 / x); }");
    take_any(0);
    result = take_any(0);
    assert_non_null(result.error);
    assert_int_equal(result.error->kind, ERROR_MISUSE);
    assert_non_null(strstr(result.error->message, "division by zero"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(blocking), TEST(order_of_arrival), TEST(dependence),  TEST(values_and_senders),
        TEST(states),   TEST(a_full_mailbox),   TEST(broken_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
