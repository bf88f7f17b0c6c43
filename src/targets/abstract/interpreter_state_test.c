/* Errors, states, and names. */
#include "targets/abstract/interpreter_fixture_test.h"

/* ---- local code and errors ---- */

static void a_failed_assume_stops_the_thread(void **state) {
    (void)state;
    load("rx h wx1 / j0");
    take(0);
    assert_null(pending(0));
    assert_false(operation_enabled(pending(1)));
    assert_int_equal(ending(), ENDING_ASSUME_BLOCKED);
}

static void a_failed_assertion_is_an_error_of_its_step(void **state) {
    (void)state;
    load_file("shared x;\nthread p {\n    local a = x;\n    assert(a == 1);\n    x = 2;\n}");
    expect_error(0, ERROR_ASSERTION, "assertion failed in thread p");
    const char *file;
    uint32_t line;
    assert_true(machine->class->describe_location(machine, result.error->location, &file, &line));
    assert_string_equal(file, "test.heddle");
    assert_int_equal(line, 4);
}

/* What it holds stays locked; the others that wait for it are no deadlock of their own. */
static void a_failed_thread_is_no_deadlock(void **state) {
    (void)state;
    load_file("shared x; mutex m; thread p { lock(m); assert(x); } thread q { lock(m); }");
    take(0);
    expect_error(0, ERROR_ASSERTION, "assertion failed in thread p");
    assert_false(operation_enabled(pending(1)));
    assert_int_equal(ending(), ENDING_COMPLETE);
}

static void misuse_is_found_when_the_step_is_taken(void **state) {
    (void)state;
    load_file("shared a[2], x = 5; thread p { a[x] = 1; }");
    take(0);
    assert_true(operation_enabled(pending(0)));
    assert_true(pending(0)->footprint == FOOTPRINT_EMPTY);
    expect_error(0, ERROR_MISUSE, "index out of bounds in thread p");
    unload();
    load_file("shared x; thread p { x = 1 / x; }");
    take(0);
    expect_error(0, ERROR_MISUSE, "division by zero in thread p");
    unload();
    load_file("spawned thread q { skip; } thread p { spawn q; spawn q; }");
    take(1);
    expect_error(1, ERROR_MISUSE, "spawn of a thread that has already started in thread p");
}

static void misuse_of_a_mutex(void **state) {
    (void)state;
    load("u0 / l0 / u0");
    expect_error(0, ERROR_MISUSE, "unlock of a mutex that the thread does not hold in thread p0");
    assert_true(result.acquired); /* the mutex was free */
    take(1);
    take_choice(2, CHOICE_NONE);
    assert_int_equal(result.error->kind, ERROR_MISUSE);
    assert_false(result.acquired);
    unload();
    load("W0.0");
    expect_error(0, ERROR_MISUSE, "wait with a mutex that the thread does not hold in thread p0");
}

static void errors_before_the_first_step(void **state) {
    (void)state;
    load_file("shared x; thread p { assert(0); } thread q { x = 1; } thread r { assert(1 > 2); }");
    const program_error *first = machine->class->start_error(machine, 0);
    assert_non_null(first);
    assert_int_equal(first->thread, 0);
    assert_string_equal(first->message, "assertion failed in thread p");
    assert_int_equal(machine->class->start_error(machine, 1)->thread, 2);
    assert_null(machine->class->start_error(machine, 2));
    assert_null(pending(0));
    assert_non_null(pending(1));
}

static void an_endless_loop_is_noticed(void **state) {
    (void)state;
    load_file("shared x; thread p { x = 1; while (1) skip; }");
    expect_error(0, ERROR_HANG, "infinite loop without an operation in thread p");
}

/* ---- states ---- */

/* Locks, a waiter, a spawned thread, registers: everything that can be in a state. */
#define RICH "l0 W0.0 u0 s3 rx / l0 g0 u0 rx / wx5 cx1 / *[ax,wy3] n2"

static void resetting_starts_over(void **state) {
    (void)state;
    load(RICH);
    take_all("0002");
    machine->class->reset(machine);
    expect(0, OPERATION_LOCK, ENABLED | ACQUIRES | STAYS, 2, ACCESS_READ_WRITE);
    assert_int_equal(value(X), 0);
    take_all("0002");
}

static char *save(void) {
    char *saved = malloc(machine->class->state_size(machine));
    machine->class->save(machine, saved);
    return saved;
}

static bool same(const char *saved) {
    char *now = save();
    bool equal = machine->class->equal(machine, saved, now);
    free(now);
    return equal;
}

static void restoring_brings_everything_back(void **state) {
    (void)state;
    load(RICH);
    take_all("00021");
    char *saved = save();
    take_choice(1, 0);
    take_all("1002");
    assert_false(same(saved));
    machine->class->restore(machine, saved);
    assert_true(same(saved));
    assert_int_equal(value(X), 5);
    expect(0, OPERATION_RELOCK, ACQUIRES, NOTHING, 0);
    assert_int_equal(pending(1)->choice_count, 1);
    take_choice(1, 0);
    take_all("1002");
    free(saved);
}

static void independent_steps_lead_to_equal_states(void **state) {
    (void)state;
    load("wx1 l0 / wy1 k1 / rz");
    take_all("01012");
    char *saved = save();
    machine->class->reset(machine);
    assert_false(same(saved));
    take_all("21100");
    assert_true(same(saved));
    free(saved);
}

/* What is pending is found out when it is asked for, and that must not show in the state. */
static void looking_does_not_change_the_state(void **state) {
    (void)state;
    load(RICH);
    take_all("00021");
    char *saved = save();
    for (uint32_t t = 0; t < 4; t++) {
        pending(t);
    }
    assert_true(same(saved));
    free(saved);
}

static void different_values_are_different_states(void **state) {
    (void)state;
    load("wx1 / wx2");
    take_all("01");
    char *saved = save();
    machine->class->reset(machine);
    take_all("10");
    assert_false(same(saved));
    free(saved);
}

/* ---- for people ---- */

static void names(void **state) {
    (void)state;
    load_file("shared a[2]; mutex m; thread p(i in 1..2) { a[0] = i; }");
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    machine->class->describe_thread(machine, 1, out);
    fputs(" ", out);
    machine->class->describe_object(machine, 1, out);
    fputs(" ", out);
    machine->class->describe_object(machine, 2, out);
    fclose(out);
    assert_string_equal(text, "p(2) a[1] m");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_failed_assume_stops_the_thread),
        TEST(a_failed_assertion_is_an_error_of_its_step),
        TEST(a_failed_thread_is_no_deadlock),
        TEST(misuse_is_found_when_the_step_is_taken),
        TEST(misuse_of_a_mutex),
        TEST(errors_before_the_first_step),
        TEST(an_endless_loop_is_noticed),
        TEST(resetting_starts_over),
        TEST(restoring_brings_everything_back),
        TEST(independent_steps_lead_to_equal_states),
        TEST(looking_does_not_change_the_state),
        TEST(different_values_are_different_states),
        TEST(names),
    };
    return cmocka_run_group_tests_name("interpreter states", tests, NULL, NULL);
}
