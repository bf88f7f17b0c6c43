/* The recorder sees through lies: a sink between the explorer and the recorder falsifies one thing
 * at a time, and the recorder must say what is wrong. */
#include "oracle/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/differ.h"
#include "oracle/print.h"
#include "targets/abstract/interpreter.h"

typedef struct liar {
    sink sink; /* first */
    recorder *recorder;
    void (*lie)(exploration *, enum target_ending *);
    bool silent; /* forgets every execution but the first */
    bool twice;  /* reports every execution twice */
    bool deaf;   /* forgets errors */
    uint32_t reported;
} liar;

static void liar_executed(sink *s, const exploration *x, enum target_ending ending) {
    liar *l = (liar *)s;
    /* The explorer's own copy is what it works with, so that it is put back afterwards. */
    exploration *falsified = (exploration *)x;
    event *last = &vector_last(&falsified->execution.events);
    event kept = *last;
    uint32_t *clock =
        &vector_at(&falsified->execution.clocks,
                   (falsified->execution.events.count - 1) * falsified->execution.stride);
    uint32_t kept_clock[2] = {clock[0], clock[1]};
    if (l->lie) {
        l->lie(falsified, &ending);
    }
    if (!l->silent || l->reported == 0) {
        l->recorder->sink.class->executed(&l->recorder->sink, x, ending);
    }
    if (l->twice) {
        l->recorder->sink.class->executed(&l->recorder->sink, x, ending);
    }
    l->reported++;
    *last = kept;
    clock[0] = kept_clock[0];
    clock[1] = kept_clock[1];
}

static bool liar_error(sink *s, const exploration *x, const program_error *error) {
    liar *l = (liar *)s;
    return l->deaf || l->recorder->sink.class->error(&l->recorder->sink, x, error);
}

static void liar_redundant(sink *s, const exploration *x) {
    liar *l = (liar *)s;
    l->recorder->sink.class->redundant(&l->recorder->sink, x);
}

static const sink_class liar_class = {
    .executed = liar_executed, .redundant = liar_redundant, .error = liar_error};

/* What the recorder says about `strategy` on the program, as the liar reports it. */
static enum difference_kind tell(const char *text, const char *strategy, liar l) {
    program p;
    parse_error error;
    brute expected = {0};
    recorder r = {0};
    exploration x;
    difference d = {0};
    defendant who;
    uint32_t unknown;
    assert_int_equal(differ_defendants(strategy, &who, 1, &unknown), 1);
    assert_true(print_parse(&p, text, &error));
    brute_run(&expected, &p, BRUTE_MERGED, 100000);
    recorder_start(&r, &p, &expected, who.promises, 100000, &d);
    l.sink.class = &liar_class;
    l.recorder = &r;
    target *interpreter = interpreter_create(&p);
    exploration_init(&x, interpreter, &l.sink);
    x.limits.interrupt = &r.interrupt;
    recorder_judge(&r, exploration_run(&x, who.class));
    exploration_free(&x);
    interpreter->class->destroy(interpreter);
    recorder_free(&r);
    brute_free(&expected);
    program_free(&p);
    return d.kind;
}

#define PROGRAM "wx1 rx / wx2 rx"

static event *last_event(exploration *x) {
    return &vector_last(&x->execution.events);
}

static void lie_about_thread(exploration *x, enum target_ending *ending) {
    (void)ending;
    last_event(x)->thread ^= 1;
}

static void lie_about_kind(exploration *x, enum target_ending *ending) {
    (void)ending;
    last_event(x)->kind = OPERATION_AWAIT;
}

static void lie_about_footprint(exploration *x, enum target_ending *ending) {
    (void)ending;
    last_event(x)->footprint |= FOOTPRINT_WRITE_BIT;
}

static void lie_about_value(exploration *x, enum target_ending *ending) {
    (void)ending;
    last_event(x)->value++;
}

static void lie_about_mutex(exploration *x, enum target_ending *ending) {
    (void)ending;
    last_event(x)->acquired = !last_event(x)->acquired;
}

static void lie_about_order(exploration *x, enum target_ending *ending) {
    (void)ending;
    uint32_t *clock =
        &vector_at(&x->execution.clocks, (x->execution.events.count - 1) * x->execution.stride);
    uint32_t other = last_event(x)->thread ^ 1;
    clock[other] = clock[other] ? 0 : 1;
}

static void lie_about_ending(exploration *x, enum target_ending *ending) {
    (void)x;
    *ending = ENDING_DEADLOCK;
}

static void test_truth(void **state) {
    (void)state;
    assert_int_equal(tell(PROGRAM, "optimal", (liar){0}), DIFFERENCE_NONE);
    assert_int_equal(tell(PROGRAM, "none", (liar){0}), DIFFERENCE_NONE);
    assert_int_equal(tell("l0 / l0 u0", "optimal", (liar){0}), DIFFERENCE_NONE);
    assert_int_equal(tell("l0 / u0", "optimal", (liar){0}), DIFFERENCE_NONE);
}

static void test_lies_about_events(void **state) {
    (void)state;
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_thread}),
                     DIFFERENCE_SCHEDULE);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_kind}), DIFFERENCE_EVENT);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_footprint}),
                     DIFFERENCE_EVENT);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_value}), DIFFERENCE_EVENT);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_order}), DIFFERENCE_ORDER);
    assert_int_equal(tell("l0 u0", "optimal", (liar){.lie = lie_about_mutex}), DIFFERENCE_EVENT);
    assert_int_equal(tell("u0", "optimal", (liar){.lie = lie_about_mutex}), DIFFERENCE_EVENT);
}

static void test_lies_about_executions(void **state) {
    (void)state;
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.lie = lie_about_ending}), DIFFERENCE_ENDING);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.silent = true}), DIFFERENCE_MISSING_TRACE);
    assert_int_equal(tell(PROGRAM, "optimal", (liar){.twice = true}), DIFFERENCE_DUPLICATE);
    assert_int_equal(tell(PROGRAM, "none", (liar){.twice = true}), DIFFERENCE_REPEATED);
    assert_int_equal(tell("l0 / l0 u0", "optimal", (liar){.deaf = true}), DIFFERENCE_ENDINGS);
    assert_int_equal(tell("l0 / u0", "optimal", (liar){.deaf = true}), DIFFERENCE_ERRORS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_lies_about_events),
        cmocka_unit_test(test_lies_about_executions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
