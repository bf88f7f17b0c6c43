#include "report/writers/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/finding_trace.h"
#include "report/trace.h"

/* A target of its own with two threads: thread 0 chooses among three and writes; thread 1 waits for
 * ever after one lock. */
typedef struct toy {
    target base;
    uint32_t taken[2];
    operation pending;
} toy;

static void toy_reset(target *t) {
    memset(((toy *)t)->taken, 0, sizeof((toy *)t)->taken);
}

static uint32_t toy_thread_count(target *t) {
    (void)t;
    return 2;
}

static const operation *toy_pending(target *t, uint32_t thread) {
    toy *y = (toy *)t;
    uint32_t taken = y->taken[thread];
    if (thread == 0) {
        y->pending = (operation){.kind = taken ? OPERATION_WRITE : OPERATION_CHOOSE,
                                 .flags = OPERATION_ENABLED,
                                 .choice_count = taken ? 0 : 3};
        return taken < 2 ? &y->pending : NULL;
    }
    y->pending = (operation){.kind = OPERATION_LOCK,
                             .flags = OPERATION_ACQUIRES | (taken ? 0 : OPERATION_ENABLED),
                             .object = 1};
    return &y->pending;
}

static void toy_step(target *t, uint32_t thread, uint32_t choice, step_result *result) {
    toy *y = (toy *)t;
    y->taken[thread]++;
    *result = (step_result){.value = choice == CHOICE_NONE ? 7 : choice, .acquired = thread == 1};
}

static enum target_ending toy_ending(target *t) {
    (void)t;
    return ENDING_DEADLOCK;
}

static void toy_describe_thread(target *t, uint32_t thread, FILE *out) {
    (void)t;
    fputs(thread ? "second\nthread" : "first", out);
}

static void toy_describe_object(target *t, uint32_t object, FILE *out) {
    (void)t;
    fputs(object ? "m" : "x", out);
}

static bool toy_describe_location(target *t, uint32_t location, const char **file, uint32_t *line) {
    (void)t, (void)location, (void)file, (void)line;
    return false;
}

static const target_class toy_class = {
    .reset = toy_reset,
    .thread_count = toy_thread_count,
    .pending = toy_pending,
    .step = toy_step,
    .ending = toy_ending,
    .describe_thread = toy_describe_thread,
    .describe_object = toy_describe_object,
    .describe_location = toy_describe_location,
};

static const char whole[] =
    "heddle schedule 1\n"
    "file a.heddle\n"
    "define N=5\n"
    "thread 0 first\n"
    "thread 1 second thread\n"
    "error deadlock\n"
    "step 0:2 choose -> 2\n"
    "step 1 lock m\n"
    "step 0 write x = 7\n"
    "end 3\n";

static void writing(void **state) {
    (void)state;
    toy y = {.base.class = &toy_class};
    settings s = {0};
    vector_push(&s.files, "a.heddle");
    vector_push(&s.definitions, "N=5");
    const step steps[] = {{0, 2}, {1, CHOICE_NONE}, {0, CHOICE_NONE}};
    trace t;
    text out = {0};
    trace_run(&t, &y.base, steps, 3);
    finding f;
    finding_of_trace(&f, &t, NULL);
    schedule_write(&out, &s, &f);
    assert_string_equal(text_string(&out), whole);
    text_free(&out);
    finding_free(&f);
    trace_free(&t);
    settings_free(&s);
    assert_int_equal(memory_in_use(), 0);
}

static void steps_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        step step;
        const char *why;
    } wrong[] = {
        {{2, CHOICE_NONE}, "the thread does not exist yet"},
        {{0, CHOICE_NONE}, "its operation has no such choice"},
        {{0, 3}, "its operation has no such choice"},
        {{1, CHOICE_NONE}, "the thread cannot continue here"},
    };
    toy y = {.base.class = &toy_class};
    trace t;
    text why = {0};
    trace_init(&t, &y.base, ACCESSES_ARE_STEPS);
    assert_true(trace_take(&t, (step){1, CHOICE_NONE}, &why));
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&why);
        assert_false(trace_take(&t, wrong[i].step, &why));
        assert_string_equal(text_string(&why), wrong[i].why);
    }
    text_free(&why);
    trace_free(&t);
}

static bool read(schedule *s, const char *string, schedule_fault *fault) {
    text contents = {0};
    text_append(&contents, string);
    return schedule_read(s, contents, fault);
}

static void reading(void **state) {
    (void)state;
    schedule s;
    schedule_fault fault;
    assert_true(read(&s, whole, &fault));
    assert_null(s.settings.program);
    assert_string_equal(vector_at(&s.settings.files, 0), "a.heddle");
    assert_string_equal(vector_at(&s.settings.definitions, 0), "N=5");
    assert_string_equal(s.error, "deadlock");
    assert_int_equal(s.steps.count, 3);
    assert_int_equal(vector_at(&s.steps, 0).step.choice, 2);
    assert_int_equal(vector_at(&s.steps, 1).step.thread, 1);
    assert_int_equal(vector_at(&s.steps, 1).step.choice, CHOICE_NONE);
    assert_string_equal(vector_at(&s.steps, 2).description, "write x = 7");
    schedule_free(&s);
    assert_int_equal(memory_in_use(), 0);
}

static void descriptions_comments_and_line_ends_are_free(void **state) {
    (void)state;
    schedule s;
    schedule_fault fault;
    assert_true(read(&s, "heddle schedule 1\r\n# by hand\n\nprogram wx1\nstep 0\nend 1", &fault));
    assert_string_equal(s.settings.program, "wx1");
    assert_string_equal(vector_at(&s.steps, 0).description, "");
    schedule_free(&s);
}

static void expect_fault(const char *string, uint32_t line, const char *message) {
    schedule s;
    schedule_fault fault;
    assert_false(read(&s, string, &fault));
    assert_string_equal(fault.message, message);
    assert_int_equal(fault.line, line);
    schedule_free(&s);
    assert_int_equal(memory_in_use(), 0);
}

#define START "heddle schedule 1\nprogram wx1\n"

static void faults_have_a_line(void **state) {
    (void)state;
    expect_fault("", 1, "this is not a schedule: expected \"heddle schedule 1\"");
    expect_fault("heddle schedule one\n", 1,
                 "this is not a schedule: expected \"heddle schedule 1\"");
    expect_fault("heddle schedule 2\n", 1, "schedule of version 2; this heddle reads version 1");
    expect_fault(START "stop\n", 3,
                 "expected program, file, define, thread, error, step or end, not \"stop\"");
    expect_fault(START "step\n", 3,
                 "expected program, file, define, thread, error, step or end, not \"step\"");
    expect_fault(START "step x\n", 3, "expected the number of a thread after \"step\"");
    expect_fault(START "step 99999999999\n", 3, "expected the number of a thread after \"step\"");
    expect_fault(START "step 0:\n", 3, "expected a choice after \":\"");
    expect_fault(START "step 0x\n", 3, "expected \"step THREAD[:CHOICE] [DESCRIPTION]\"");
    expect_fault(START "thread p\n", 3, "expected \"thread NUMBER NAME\"");
    expect_fault(START "step 0\nend 2\n", 4, "the file has 1 steps, but its last line says 2");
    expect_fault(START "end x\n", 3, "expected \"end\" and the number of steps");
    expect_fault(START "end 0\nstep 0\n", 4, "nothing may follow the line \"end\"");
    expect_fault(START "step 0\n", 3, "the file is cut off: the line \"end\" is missing");
    expect_fault("heddle schedule 1\nend 0\n", 2,
                 "expected either one \"program\" or at least one \"file\"");
    expect_fault(START "file a\nend 0\n", 4,
                 "expected either one \"program\" or at least one \"file\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing),
        cmocka_unit_test(steps_that_do_not_fit_are_refused),
        cmocka_unit_test(reading),
        cmocka_unit_test(descriptions_comments_and_line_ends_are_free),
        cmocka_unit_test(faults_have_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
