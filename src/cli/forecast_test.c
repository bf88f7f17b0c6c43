/* How many executions programs have, estimated after the first fifty and in the middle, against
 * what is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli/load.h"
#include "dpor/registry.h"
#include "explore/estimate.h"

enum { FEW_BEFORE = 50, SAMPLE = 2000, SMALL = 50000 };
static const clock_t ANY_TIME = 1000L * CLOCKS_PER_SEC;

static const struct {
    const char *program, *size;
    uint64_t executions;
} known[] = {
    {"readers", "N=13", 8192},
    {"readers", "N=16", 65536},
    {"lastzero", "N=13", 32768},
    {"lastzero", "N=15", 147456},
    {"wakeup_stress", "N=7", 10080},
    {"wakeup_stress", "N=8", 80640},
    {"filesystem", "N=24", 2048},
    {"filesystem", "N=26", 8192},
    {"indexer", "N=15", 4096},
    {"indexer", "N=16", 32768},
    {"exp-mem3", "N=7", 10080},
    {"exp-mem3", "N=8", 80640},
    {"fib-bench", "N=4", 19605},
    {"fib-bench", "N=5", 218243},
    {"circular-buffer", "N=8", 12870},
    {"circular-buffer", "N=9", 48620},
    {"linuxrwlocks", "N=4", 12870},
    {"linuxrwlocks", "N=5", 184756},
    {"dispatcher", "N=4", 6854},
    {"dispatcher", "N=5", 151032},
    {"poke", "N=6", 15624},
    {"poke", "N=10", 135944},
    {"floating_read", "N=7", 40320},
    {"lamport", "N=3", 20741},
    {"lock", "N=5", 5040},
    {"lock", "N=6", 95040},
};

enum { PROGRAMS = sizeof known / sizeof *known };

/* After some executions it asks how many are left, and ends the exploration. */
typedef struct questioner {
    exchange exchange;
    sink sink;
    uint64_t executions, before;
    clock_t time;
    forecast left;
} questioner;

static bool ask(exchange *e, strategy *s) {
    questioner *q = (questioner *)e;
    if (q->executions < q->before) {
        return true;
    }
    uint32_t pieces = s->class->work->count(s);
    q->left = estimate_left(s->exploration, s, SAMPLE, q->time);
    assert_int_equal(s->class->work->count(s), pieces);
    return false;
}

static bool has_no_more(exchange *e, strategy *s) {
    (void)e, (void)s;
    return false;
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)x, (void)ending;
    ((questioner *)((char *)s - offsetof(questioner, sink)))->executions++;
}

static bool ignore(sink *s, const exploration *x, const program_error *found) {
    (void)s, (void)x, (void)found;
    return true;
}

static forecast estimate(const char *program, const char *size, uint64_t before, clock_t time) {
    static const exchange_class asks = {.serve = ask, .refill = has_no_more};
    static const sink_class counts = {.executed = executed, .error = ignore};
    static const volatile uint32_t always = 1;
    questioner q = {.exchange = {.class = &asks, .wanted = &always},
                    .sink.class = &counts,
                    .before = before,
                    .time = time};
    char file[128];
    settings s = {0};
    loaded l;
    text message = {0};
    exploration x;
    snprintf(file, sizeof file, "bench/programs/%s.heddle", program);
    vector_push(&s.files, file);
    vector_push(&s.definitions, size);
    assert_true(load_here(&l, &s, &message));
    exploration_init(&x, l.target, &q.sink);
    x.exchange = &q.exchange;
    assert_int_equal(exploration_run(&x, strategy_find("pop")), EXPLORATION_STOPPED);
    exploration_free(&x);
    loaded_free(&l);
    vector_free(&s.files);
    vector_free(&s.definitions);
    text_free(&message);
    return q.left;
}

typedef struct tried {
    uint32_t programs, right, wide;
} tried;

static void try_one(uint32_t i, uint64_t before, tried *t) {
    forecast left = estimate(known[i].program, known[i].size, before, ANY_TIME);
    double truth = (double)(known[i].executions - before);
    assert_true(left.known && left.low <= left.likely && left.likely <= left.high);
    t->programs++;
    t->right += left.low <= truth && truth <= left.high;
    t->wide += left.high > 20 * left.low;
    printf("%s(%s) after %llu: %.0f, estimated %.0f (%.0f to %.0f)\n", known[i].program,
           known[i].size, (unsigned long long)before, truth, left.likely, left.low, left.high);
}

/* In nine cases of ten the true number is in the interval, which is not everything. */
static void intervals_hold(void **state) {
    tried t = {0};
    (void)state;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        try_one(i, FEW_BEFORE, &t);
    }
    assert_in_range(t.right * 10, 9 * PROGRAMS, 10 * PROGRAMS);
    assert_in_range(t.wide, 0, PROGRAMS * 3 / 10);
}

/* In a build with all checks the way there would take long. */
static void intervals_hold_in_the_middle(void **state) {
    tried t = {0};
    (void)state;
#ifdef HEDDLE_DEBUG
    skip();
#endif
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        if (known[i].executions < SMALL) {
            try_one(i, known[i].executions / 2, &t);
        }
    }
    assert_in_range(t.right * 10, 9 * t.programs, 10 * t.programs);
    assert_in_range(t.wide, 0, t.programs * 3 / 10);
}

/* Executions may take long: the estimate is given up. */
static void time_is_bounded(void **state) {
    (void)state;
    assert_false(estimate("lastzero", "N=15", FEW_BEFORE, 0).known);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_hold),
                                       cmocka_unit_test(intervals_hold_in_the_middle),
                                       cmocka_unit_test(time_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
