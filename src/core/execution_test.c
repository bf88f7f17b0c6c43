#include "core/execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"

enum { X, Y, Z };

static footprint on(uint32_t object, uint8_t bytes, enum access_mode mode) {
    return footprint_single((memory_access){object, bytes, (uint8_t)mode});
}

static uint32_t step(execution *e, uint32_t thread, footprint f) {
    return execution_append(e, thread, CHOICE_NONE, &(operation){.footprint = f});
}

static uint32_t reads(execution *e, uint32_t thread, uint32_t object) {
    return step(e, thread, on(object, ACCESS_ALL_BYTES, ACCESS_READ));
}

static uint32_t writes(execution *e, uint32_t thread, uint32_t object) {
    return step(e, thread, on(object, ACCESS_ALL_BYTES, ACCESS_WRITE));
}

static execution *setup(void) {
    static execution e;
    execution_init(&e);
    return &e;
}

static void finish(execution *e) {
    execution_check(e);
    execution_free(e);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

/* ---- happens-before, case by case ---- */

static void program_order_comes_first(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t first = reads(e, 0, X), other = reads(e, 1, Y), second = reads(e, 0, Z);
    assert_true(execution_before(e, first, second));
    assert_false(execution_before(e, first, other));
    assert_false(execution_before(e, other, second));
    assert_true(execution_before(e, second, second));
    finish(e);
}

static void conflicts_order_and_reads_do_not(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t write = writes(e, 0, X), read = reads(e, 1, X), other = reads(e, 2, X);
    uint32_t last = writes(e, 3, X);
    assert_true(execution_before(e, write, read));
    assert_true(execution_before(e, write, other));
    assert_false(execution_before(e, read, other));
    assert_true(execution_before(e, read, last));
    assert_true(execution_before(e, other, last));
    finish(e);
}

static void order_is_transitive(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t first = writes(e, 0, X);
    reads(e, 1, X);
    writes(e, 1, Y);
    uint32_t last = reads(e, 2, Y);
    assert_true(execution_before(e, first, last));
    finish(e);
}

static void a_clock_counts_events_by_thread(void **state) {
    (void)state;
    execution *e = setup();
    writes(e, 0, X);
    writes(e, 0, X);
    writes(e, 2, Y);
    uint32_t last = reads(e, 1, X);
    const uint32_t *clock = execution_clock(e, last);
    assert_int_equal(clock[0], 2);
    assert_int_equal(clock[1], 1);
    assert_int_equal(clock[2], 0);
    finish(e);
}

static void bytes_decide(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t low = step(e, 0, on(X, 0x0f, ACCESS_WRITE));
    uint32_t high = step(e, 1, on(X, 0xf0, ACCESS_WRITE));
    uint32_t reads_low = step(e, 2, on(X, 0x01, ACCESS_READ));
    uint32_t reads_both = step(e, 3, on(X, 0x18, ACCESS_READ));
    assert_false(execution_before(e, low, high));
    assert_true(execution_before(e, low, reads_low));
    assert_false(execution_before(e, high, reads_low));
    assert_true(execution_before(e, low, reads_both));
    assert_true(execution_before(e, high, reads_both));
    finish(e);
}

/* A write covers what lies below it only for its own bytes. */
static void a_partly_overwritten_write_is_still_seen(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t whole = step(e, 0, on(X, 0xff, ACCESS_WRITE));
    uint32_t high = step(e, 1, on(X, 0xf0, ACCESS_READ));
    uint32_t low = step(e, 2, on(X, 0x0f, ACCESS_WRITE));
    uint32_t last = step(e, 3, on(X, 0xff, ACCESS_WRITE));
    assert_false(execution_before(e, high, low));
    assert_true(execution_before(e, whole, low));
    assert_true(execution_before(e, high, last));
    finish(e);
}

static void a_step_with_several_accesses_is_ordered_by_each(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t x = writes(e, 0, X), y = writes(e, 1, Y), z = reads(e, 2, Z);
    const memory_access accesses[] = {{X, 0xff, ACCESS_READ}, {Z, 0xff, ACCESS_WRITE}};
    uint32_t both = step(e, 3, footprint_of(accesses, 2));
    assert_true(execution_before(e, x, both));
    assert_false(execution_before(e, y, both));
    assert_true(execution_before(e, z, both));
    uint32_t after = reads(e, 4, Z);
    assert_true(execution_before(e, x, after));
    finish(e);
}

static void causes_order(void **state) {
    (void)state;
    execution *e = setup();
    reads(e, 0, X);
    uint32_t spawn = step(e, 0, FOOTPRINT_EMPTY);
    uint32_t later = step(e, 0, FOOTPRINT_EMPTY);
    const cause causes[] = {{0, 2}, {3, 0}};
    uint32_t child =
        execution_append(e, 1, CHOICE_NONE, &(operation){.causes = causes, .cause_count = 2});
    assert_true(execution_before(e, spawn, child));
    assert_true(execution_before(e, spawn - 1, child));
    assert_false(execution_before(e, later, child));
    finish(e);
}

/* ---- looking things up ---- */

static void events_are_found_by_thread_and_index(void **state) {
    (void)state;
    execution *e = setup();
    reads(e, 2, X);
    reads(e, 0, X);
    reads(e, 2, Y);
    assert_int_equal(execution_length(e), 3);
    assert_int_equal(execution_thread_count(e), 3);
    assert_int_equal(execution_thread_events(e, 2), 2);
    assert_int_equal(execution_thread_events(e, 1), 0);
    assert_int_equal(execution_thread_events(e, 99), 0);
    assert_int_equal(execution_position(e, 2, 1), 2);
    assert_int_equal(execution_event(e, 2)->index, 1);
    assert_int_equal(execution_index_at(e, 2, 2), 1);
    assert_int_equal(execution_index_at(e, 3, 2), 2);
    finish(e);
}

static void the_chain_of_an_object_starts_before_the_access(void **state) {
    (void)state;
    execution *e = setup();
    writes(e, 0, X);
    reads(e, 1, Y);
    uint32_t read = reads(e, 1, X);
    uint32_t before = execution_chain(e, read, 0, X);
    assert_int_equal(vector_at(&e->links, before - 1).position, 0);
    assert_int_equal(execution_chain(e, 0, 0, X), 0);
    uint32_t end = execution_chain(e, execution_length(e), 0, X);
    assert_int_equal(vector_at(&e->links, end - 1).position, read);
    assert_int_equal(execution_chain(e, execution_length(e), 0, 1000), 0);
    finish(e);
}

static void an_event_gives_its_operation_back(void **state) {
    (void)state;
    execution *e = setup();
    reads(e, 0, X);
    const cause causes[] = {{0, 1}};
    const operation given = {.kind = OPERATION_CAS,
                             .flags = OPERATION_ENABLED | OPERATION_VARIES,
                             .object = 5,
                             .location = 6,
                             .footprint = on(Y, 0xff, ACCESS_READ),
                             .expected = 7,
                             .compare = OPERATION_IS_LESS,
                             .causes = causes,
                             .cause_count = 1};
    uint32_t position = execution_append(e, 1, 3, &given);
    operation got = execution_operation(e, position);
    assert_int_equal(execution_event(e, position)->choice, 3);
    assert_int_equal(got.kind, given.kind);
    assert_int_equal(got.flags, given.flags);
    assert_int_equal(got.object, given.object);
    assert_int_equal(got.location, given.location);
    assert_true(got.footprint == given.footprint);
    assert_int_equal(got.expected, given.expected);
    assert_int_equal(got.compare, given.compare);
    assert_int_equal(got.cause_count, 1);
    assert_memory_equal(got.causes, causes, sizeof causes);
    finish(e);
}

/* ---- many threads ---- */

static void clocks_widen_when_threads_appear(void **state) {
    (void)state;
    execution *e = setup();
    uint32_t first = writes(e, 0, X), second = reads(e, 7, X), apart = writes(e, 3, Y);
    uint32_t narrow = e->stride;
    uint32_t late = reads(e, 40, X);
    assert_true(e->stride > 40 && e->stride > narrow);
    assert_true(execution_before(e, first, second));
    assert_false(execution_before(e, apart, second));
    assert_true(execution_before(e, first, late));
    assert_false(execution_before(e, second, late));
    assert_true(execution_before(e, late, writes(e, 39, X)));
    finish(e);
}

static void room_for_threads_is_not_an_event(void **state) {
    (void)state;
    execution *e = setup();
    execution_reserve_threads(e, 20);
    execution_reserve_threads(e, 3);
    assert_int_equal(execution_thread_count(e), 20);
    assert_int_equal(execution_thread_events(e, 19), 0);
    assert_int_equal(execution_length(e), 0);
    finish(e);
}

/* ---- random sequences ---- */

static footprint random_footprint(random_source *random) {
    static const uint8_t bytes[] = {0xff, 0xff, 0x0f, 0xf0, 0x3c, 0x01};
    memory_access accesses[3];
    uint32_t count = random_below(random, 8) ? 1 : random_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        accesses[i] =
            (memory_access){random_below(random, 4), bytes[random_below(random, sizeof bytes)],
                            (uint8_t)(1 + random_below(random, 3))};
    }
    return footprint_of(accesses, count);
}

/* A step of one of the threads, now and then with up to two causes among the events so far. */
static void random_step(execution *e, random_source *random, uint32_t thread_count) {
    cause causes[2];
    uint32_t cause_count = random_below(random, 6) ? 0 : random_below(random, 3);
    for (uint32_t i = 0; i < cause_count; i++) {
        uint32_t thread = random_below(random, thread_count);
        uint32_t events = execution_thread_events(e, thread);
        causes[i] = (cause){thread, random_below(random, events + 1)};
    }
    operation op = {.kind = OPERATION_ATOMIC,
                    .footprint = random_footprint(random),
                    .causes = causes,
                    .cause_count = cause_count};
    execution_append(e, random_below(random, thread_count), random_below(random, 3), &op);
}

static void random_executions_have_the_right_clocks(void **state) {
    (void)state;
    random_source random = {11};
    for (uint32_t round = 0; round < 300; round++) {
        execution *e = setup();
        uint32_t thread_count = 2 + random_below(&random, 4);
        for (uint32_t i = 0; i < 40; i++) {
            thread_count += random_below(&random, 3) == 0; /* beyond 8 in most rounds */
            random_step(e, &random, thread_count);
        }
        finish(e);
    }
}

static void assert_same_event(const execution *e, const execution *other, uint32_t position) {
    const event *a = execution_event(e, position), *b = execution_event(other, position);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->first_cause, b->first_cause);
    assert_int_equal(a->first_link, b->first_link);
    assert_memory_equal(execution_clock(e, position), execution_clock(other, position),
                        e->stride * sizeof(uint32_t));
    assert_int_equal(execution_position(e, a->thread, a->index), position);
}

static void assert_same_link(const access_link *a, const access_link *b) {
    assert_int_equal(a->position, b->position);
    assert_int_equal(a->previous, b->previous);
    assert_int_equal(a->previous_write, b->previous_write);
}

/* `e` is what appending the same events to a new execution gives. */
static void assert_as_built_anew(const execution *e) {
    execution fresh;
    execution_init(&fresh);
    execution_reserve_threads(&fresh, execution_thread_count(e));
    for (uint32_t i = 0; i < execution_length(e); i++) {
        operation op = execution_operation(e, i);
        execution_append(&fresh, execution_event(e, i)->thread, execution_event(e, i)->choice, &op);
    }
    assert_int_equal(e->stride, fresh.stride);
    assert_int_equal(e->clocks.count, fresh.clocks.count);
    assert_int_equal(e->causes.count, fresh.causes.count);
    assert_int_equal(e->links.count, fresh.links.count);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        assert_same_event(e, &fresh, i);
    }
    for (uint32_t i = 0; i < e->links.count; i++) {
        assert_same_link(&vector_at(&e->links, i), &vector_at(&fresh.links, i));
    }
    for (uint32_t object = 0; object < e->heads.count; object++) {
        uint32_t head = object < fresh.heads.count ? vector_at(&fresh.heads, object) : 0;
        assert_int_equal(vector_at(&e->heads, object), head);
    }
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        assert_int_equal(execution_thread_events(e, t), execution_thread_events(&fresh, t));
    }
    execution_free(&fresh);
}

static void truncation_restores_everything(void **state) {
    (void)state;
    random_source random = {12};
    execution *e = setup();
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t thread_count = 2 + random_below(&random, 12);
        while (execution_length(e) < 30) {
            random_step(e, &random, thread_count);
        }
        execution_truncate(e, random_below(&random, 31));
        assert_as_built_anew(e);
    }
    execution_truncate(e, 0);
    assert_as_built_anew(e);
    finish(e);
}

/* ---- long executions ---- */

static void long_execution(execution *e, uint64_t seed) {
    random_source random = {seed};
    for (uint32_t i = 0; i < 20000; i++) {
        random_step(e, &random, 6);
    }
}

static void nothing_is_allocated_once_warm(void **state) {
    (void)state;
    execution *e = setup();
    long_execution(e, 13);
    size_t in_use = memory_in_use();
    execution_truncate(e, 0);
    long_execution(e, 13);
    assert_int_equal(memory_in_use(), in_use);
    execution_truncate(e, 50);
    finish(e);
}

static void thousands_of_writes_are_one_chain(void **state) {
    (void)state;
    execution *e = setup();
    for (uint32_t i = 0; i < 20000; i++) {
        writes(e, i % 5, X);
    }
    random_source random = {14};
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t a = random_below(&random, 20000), b = random_below(&random, 20000);
        assert_int_equal(execution_before(e, a, b), a <= b);
    }
    execution_truncate(e, 50);
    finish(e);
}

/* ---- the check can fail ---- */

static void expect_death(const execution *e) {
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        execution_check(e);
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

static void a_wrong_clock_is_noticed(void **state) {
    (void)state;
    execution *e = setup();
    writes(e, 0, X);
    uint32_t apart = writes(e, 1, Y), read = reads(e, 2, X);
    uint32_t *clock = &vector_at(&e->clocks, read * e->stride);
    clock[1] = execution_event(e, apart)->index + 1;
    expect_death(e);
    clock[1] = 0;
    clock[0] = 0;
    expect_death(e);
    clock[0] = 1;
    finish(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_order_comes_first),
        cmocka_unit_test(conflicts_order_and_reads_do_not),
        cmocka_unit_test(order_is_transitive),
        cmocka_unit_test(a_clock_counts_events_by_thread),
        cmocka_unit_test(bytes_decide),
        cmocka_unit_test(a_partly_overwritten_write_is_still_seen),
        cmocka_unit_test(a_step_with_several_accesses_is_ordered_by_each),
        cmocka_unit_test(causes_order),
        cmocka_unit_test(events_are_found_by_thread_and_index),
        cmocka_unit_test(the_chain_of_an_object_starts_before_the_access),
        cmocka_unit_test(an_event_gives_its_operation_back),
        cmocka_unit_test(clocks_widen_when_threads_appear),
        cmocka_unit_test(room_for_threads_is_not_an_event),
        cmocka_unit_test(random_executions_have_the_right_clocks),
        cmocka_unit_test(truncation_restores_everything),
        cmocka_unit_test(nothing_is_allocated_once_warm),
        cmocka_unit_test(thousands_of_writes_are_one_chain),
        cmocka_unit_test(a_wrong_clock_is_noticed),
    };
    return cmocka_run_group_tests_name("execution", tests, NULL, NULL);
}
