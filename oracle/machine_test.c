/* The rules of the oracle's interpreter, one at a time. */
#include "oracle/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/print.h"

static program tested;

static machine start(const char *text) {
    parse_error error;
    machine m;
    if (!print_parse(&tested, text, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    assert_true(machine_init(&m, &tested, true));
    return m;
}

static machine_event take(machine *m, uint32_t thread) {
    assert_true(machine_enabled(m, thread));
    return machine_step(m, thread, MACHINE_NONE);
}

static bool has_edge(const machine_event *e, uint32_t thread, uint32_t index) {
    for (uint32_t i = 0; i < e->edge_count; i++) {
        if (e->edges[i].thread == thread && e->edges[i].index == index) {
            return true;
        }
    }
    return false;
}

static void test_accesses(void **state) {
    (void)state;
    machine m = start("rx wx2 ax cx7 / cy7 [ry,wy1,rx]");
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_READ && e.reads.words[0] == 1 && e.writes.words[0] == 0);
    e = take(&m, 0);
    assert_true(e.kind == KIND_WRITE && e.reads.words[0] == 0 && e.writes.words[0] == 1);
    e = take(&m, 0);
    assert_true(e.kind == KIND_ADD && e.reads.words[0] == 0 && e.writes.words[0] == 1 &&
                e.value == 2);
    e = take(&m, 0); /* 3 is not 0: the compare-and-swap only reads */
    assert_true(e.kind == KIND_CAS && e.reads.words[0] == 1 && e.writes.words[0] == 0 &&
                e.value == 0);
    assert_true(m.threads[0].status == STATUS_ENDED);
    e = take(&m, 1);
    assert_true(e.reads.words[0] == 0 && e.writes.words[0] == 2 && e.value == 1);
    e = take(&m, 1);
    assert_true(e.kind == KIND_ATOMIC && e.reads.words[0] == 1 && e.writes.words[0] == 2);
    assert_true(m.cells[0] == 3 && m.cells[1] == 1);
    program_free(&tested);
}

static void test_locks(void **state) {
    (void)state;
    machine m = start("l0 l0 / l0 / k0 ?u0");
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_LOCK && e.writes.words[0] == 1 && m.owners[0] == 0);
    assert_false(machine_enabled(&m, 0)); /* not even by its owner */
    assert_false(machine_enabled(&m, 1));
    e = take(&m, 2);
    assert_true(e.kind == KIND_TRYLOCK && e.writes.words[0] == 1 && e.value == 0);
    assert_true(m.threads[2].status == STATUS_ENDED);
    assert_int_equal(machine_ending(&m), FINISH_DEADLOCK);
    program_free(&tested);
}

static void test_wait_and_signal(void **state) {
    (void)state;
    uint32_t choices[MACHINE_CELLS];
    machine m = start("l0 W0.0 u0 / g0");
    assert_int_equal(machine_alternatives(&m, 1, choices), 1);
    assert_true(choices[0] == MACHINE_NONE); /* nobody waits: it would be lost */
    take(&m, 0);
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_WAIT && e.writes.words[0] == 2 && m.owners[0] == 0);
    assert_int_equal(machine_alternatives(&m, 1, choices), 1);
    assert_int_equal(choices[0], 0);
    machine woken_early = m;
    e = take(&m, 0);
    assert_true(e.kind == KIND_WAIT_UNLOCK && e.writes.words[0] == 1 &&
                m.owners[0] == MACHINE_NONE);
    assert_false(machine_enabled(&m, 0));
    e = machine_step(&m, 1, 0);
    assert_true(e.kind == KIND_SIGNAL && e.writes.words[0] == 2 && e.choice == 0);
    e = take(&m, 0);
    assert_true(e.kind == KIND_RELOCK && e.writes.words[0] == 1 && has_edge(&e, 1, 0));
    take(&m, 0);
    assert_int_equal(machine_ending(&m), FINISH_COMPLETE);

    machine_step(&woken_early, 1, 0);
    e = take(&woken_early, 0);
    assert_true(e.kind == KIND_WAIT_UNLOCK);
    e = take(&woken_early, 0);
    assert_true(e.kind == KIND_RELOCK && has_edge(&e, 1, 0));
    program_free(&tested);
}

static void test_timed_wait(void **state) {
    (void)state;
    machine m = start("l0 T0.0 u0 / g0");
    take(&m, 0);
    take(&m, 0);
    take(&m, 0);
    machine signalled = m;
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_TIMEOUT && e.writes.words[0] == 2);
    e = take(&m, 0);
    assert_true(e.kind == KIND_RELOCK && e.value == 1 && e.edge_count == 0);
    assert_int_equal(m.threads[0].registers[0], 1);

    machine_step(&signalled, 1, 0);
    e = take(&signalled, 0);
    assert_true(e.kind == KIND_RELOCK && e.value == 0 && has_edge(&e, 1, 0));
    program_free(&tested);
}

static void test_broadcast_wakes_all(void **state) {
    (void)state;
    machine m = start("l0 W0.0 u0 / l1 W0.1 u1 / b0");
    for (uint32_t t = 0; t < 2; t++) {
        take(&m, t);
        take(&m, t);
        take(&m, t);
    }
    assert_false(machine_enabled(&m, 0) || machine_enabled(&m, 1));
    take(&m, 2);
    assert_true(machine_enabled(&m, 0) && machine_enabled(&m, 1));
    program_free(&tested);
}

static void test_spawn_and_join(void **state) {
    (void)state;
    machine m = start("s1 j1 / * rx");
    assert_false(machine_enabled(&m, 1));
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_SPAWN && e.reads.words[0] == 0 && e.writes.words[0] == 0);
    assert_false(machine_enabled(&m, 0));
    e = take(&m, 1);
    assert_true(has_edge(&e, 0, 0));
    e = take(&m, 0);
    assert_true(e.kind == KIND_JOIN && has_edge(&e, 1, 0) && has_edge(&e, 0, 0));
    assert_true(e.reads.words[0] == 0 && e.writes.words[0] == 0);
    program_free(&tested);
}

static void test_choice(void **state) {
    (void)state;
    uint32_t choices[MACHINE_CELLS];
    machine m = start("n3");
    assert_int_equal(machine_alternatives(&m, 0, choices), 3);
    machine_event e = machine_step(&m, 0, 2);
    assert_true(e.kind == KIND_CHOOSE && e.value == 2 && e.choice == 2 && e.writes.words[0] == 0);
    assert_int_equal(m.threads[0].registers[0], 2);
    program_free(&tested);
}

static void test_await(void **state) {
    (void)state;
    machine m = start("shared x; thread p { await(x > 1); } thread q { x = 1; x = 2; }");
    assert_false(machine_enabled(&m, 0));
    take(&m, 1);
    assert_false(machine_enabled(&m, 0));
    take(&m, 1);
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_AWAIT && e.reads.words[0] == 1 && e.writes.words[0] == 0);
    program_free(&tested);
}

/* ---- stopped threads and how executions end ---- */

static void test_assume(void **state) {
    (void)state;
    machine m = start("rx h wx1 / j0");
    take(&m, 0);
    assert_true(m.threads[0].status == STATUS_ASSUMED);
    assert_false(machine_enabled(&m, 0) || machine_enabled(&m, 1));
    assert_int_equal(machine_ending(&m), FINISH_ASSUMED);
    program_free(&tested);
}

static void test_assertion(void **state) {
    (void)state;
    machine m = start(
        "shared x; thread p { local v; v = x; assert(v == 1); x = 1; } "
        "thread q { await(x == 1); }");
    take(&m, 0);
    assert_true(m.threads[0].status == STATUS_FAILED);
    assert_int_equal(m.threads[0].error, FAULT_ASSERTION);
    assert_false(machine_enabled(&m, 0) || machine_enabled(&m, 1));
    assert_int_equal(machine_ending(&m), FINISH_COMPLETE); /* no deadlock beside a failure */
    program_free(&tested);
}

static void check_misuse(const machine *m, uint32_t thread) {
    assert_true(m->threads[thread].status == STATUS_FAILED);
    assert_int_equal(m->threads[thread].error, FAULT_MISUSE);
}

static void test_misused_unlock(void **state) {
    (void)state;
    machine m = start("l0 / u0 wx1");
    take(&m, 0);
    machine_event e = take(&m, 1);
    assert_true(e.kind == KIND_UNLOCK && m.owners[1] == 0);
    check_misuse(&m, 1);
    program_free(&tested);
}

static void test_misused_wait(void **state) {
    (void)state;
    machine m = start("W0.0 wx1 / g0");
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_WAIT);
    check_misuse(&m, 0);
    uint32_t choices[MACHINE_CELLS];
    machine_alternatives(&m, 1, choices);
    assert_true(choices[0] == MACHINE_NONE); /* it does not wait */
    program_free(&tested);
}

static void test_misused_spawn(void **state) {
    (void)state;
    machine m = start("s1 s1 wx1 / * wx2");
    take(&m, 0);
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_SPAWN);
    check_misuse(&m, 0);
    assert_true(machine_enabled(&m, 1));
    program_free(&tested);
}

static void test_operands_in_error(void **state) {
    (void)state;
    machine m = start(
        "shared x; shared a[2]; thread p { local v = 2; a[v] = 1; } "
        "thread q { local v = 0; x = 1 / v; }"
        "thread r { local v; v = x; v = 1 % v; x = 7; }");
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_WRITE && e.reads.words[0] == 0 && e.writes.words[0] == 0);
    check_misuse(&m, 0);
    e = take(&m, 1);
    assert_true(e.kind == KIND_WRITE && e.reads.words[0] == 0 && e.writes.words[0] == 0);
    check_misuse(&m, 1);
    e = take(&m, 2); /* in the local code after the read */
    assert_true(e.kind == KIND_READ && e.reads.words[0] == 1);
    check_misuse(&m, 2);
    assert_int_equal(m.cells[0], 0);
    program_free(&tested);
}

static void test_error_in_section(void **state) {
    (void)state;
    machine m = start(
        "shared x, y; shared a[2]; thread p { local v = 2; "
        "atomic { x = 1; a[v] = 1; y = 1; } }");
    machine_event e = take(&m, 0);
    assert_true(e.kind == KIND_ATOMIC && e.reads.words[0] == 0 && e.writes.words[0] == 1);
    check_misuse(&m, 0);
    assert_true(m.cells[0] == 1 && m.cells[1] == 0);
    program_free(&tested);
}

static void test_messages(void **state) {
    (void)state;
    machine m = start("S2.5 S2.6 / S2.5 / M6 N7 M5.6 N");
    assert_false(machine_enabled(&m, 2));
    machine_event e = take(&m, 1);
    assert_true(e.kind == KIND_SEND && e.receiver == 2 && e.tag == 5 && !cells_any(&e.reads) &&
                !cells_any(&e.writes));
    assert_false(machine_enabled(&m, 2));
    take(&m, 0), take(&m, 0);
    e = take(&m, 2);
    assert_true(e.kind == KIND_RECEIVE && e.tag == 6 && !e.missed && has_edge(&e, 0, 1));
    e = take(&m, 2);
    assert_true(e.missed && e.tag == 0 && e.edge_count == 0 && m.threads[2].registers[0] == 0);
    assert_true(machine_matches(&e.pattern, 7) && !machine_matches(&e.pattern, 5));
    e = take(&m, 2); /* the earliest of those that match */
    assert_true(e.tag == 5 && has_edge(&e, 1, 0));
    e = take(&m, 2);
    assert_true(e.tag == 5 && has_edge(&e, 0, 0) && machine_matches(&e.pattern, 9));
    assert_true(machine_ending(&m) == FINISH_COMPLETE);
    program_free(&tested);
    m = start("S1.5 / M6");
    take(&m, 0);
    assert_true(machine_ending(&m) == FINISH_DEADLOCK);
    program_free(&tested);
    m = start(
        "thread p { send(q, 1, 42); } thread q { receive(); assert(value() == 42); "
        "assert(sender() == 0); receive(1 / (value() - 42)); }");
    take(&m, 0), take(&m, 1);
    assert_true(m.threads[1].error == FAULT_NONE);
    take(&m, 1);
    assert_true(m.threads[1].error == FAULT_MISUSE);
    program_free(&tested);
}

static void test_endless_programs_are_refused(void **state) {
    (void)state;
    parse_error error;
    machine m;
    assert_true(print_parse(&tested, "thread p { while (1) { } }", &error));
    assert_false(machine_init(&m, &tested, true));
    program_free(&tested);
    m = start("shared x; thread p { while (1) { x = 1; } }");
    while (machine_enabled(&m, 0)) {
        machine_step(&m, 0, MACHINE_NONE);
    }
    assert_true(m.gave_up && m.steps == MACHINE_STEPS);
    program_free(&tested);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_wait_and_signal),
        cmocka_unit_test(test_timed_wait),
        cmocka_unit_test(test_broadcast_wakes_all),
        cmocka_unit_test(test_spawn_and_join),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_await),
        cmocka_unit_test(test_assume),
        cmocka_unit_test(test_assertion),
        cmocka_unit_test(test_misused_unlock),
        cmocka_unit_test(test_misused_wait),
        cmocka_unit_test(test_misused_spawn),
        cmocka_unit_test(test_operands_in_error),
        cmocka_unit_test(test_error_in_section),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_endless_programs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
