/* Work as bytes: what arrives is what was sent, and bytes that are no work are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dpor/registry.h"
#include "explore/exploration.h"
#include "oracle/generator.h"
#include "oracle/machine_spin.h"
#include "oracle/print.h"
#include "targets/abstract/interpreter.h"

enum { PROGRAMS = 150, EXECUTIONS_MOST = 300 };

static uint64_t counted;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s, (void)x, (void)ending;
    counted++;
}

static bool ignored(sink *s, const exploration *x, const program_error *error) {
    (void)s, (void)x, (void)error;
    return true;
}

static const sink_class counting = {.executed = executed, .error = ignored};

/* ---- others who want work ---- */

typedef struct taker {
    exchange exchange;
    random_source random;
    uint32_t refused, accepted;
} taker;

static bool has_no_more(exchange *e, strategy *s) {
    (void)e, (void)s;
    return false;
}

static void take_back(strategy *s, const bytes *b, bool expected) {
    byte_reader r = byte_reader_of(b->content.items, b->content.count);
    assert_true((s->class->work->decode(s, &r) && bytes_finished(&r)) == expected);
}

/* All work becomes the same bytes again after it was bytes. */
static bool compare_bytes(exchange *e, strategy *s) {
    const strategy_work *work = s->class->work;
    bytes once = {0}, twice = {0};
    (void)e;
    uint32_t count = work->count(s);
    work->encode(s, 0, count, &once);
    work->drop(s, count);
    take_back(s, &once, true);
    assert_int_equal(work->count(s), count);
    work->encode(s, 0, count, &twice);
    assert_int_equal(once.content.count, twice.content.count);
    assert_memory_equal(once.content.items, twice.content.items, once.content.count);
    bytes_free(&once);
    bytes_free(&twice);
    return true;
}

/* Bytes that were damaged are refused, or are some other work; in both cases what was there stays
 * as it was. */
static bool damage_bytes(exchange *e, strategy *s) {
    taker *t = (taker *)e;
    const strategy_work *work = s->class->work;
    uint32_t count = work->count(s);
    bytes whole = {0}, damaged = {0};
    work->encode(s, 0, count, &whole);
    for (uint32_t i = 0; i < 8; i++) {
        damaged.content.count = 0;
        bytes_put_bytes(&damaged, &whole);
        uint32_t at = random_below(&t->random, damaged.content.count);
        vector_at(&damaged.content, at) = (unsigned char)random_next(&t->random);
        if (i % 4 == 3) {
            damaged.content.count = at;
        }
        byte_reader r = byte_reader_of(damaged.content.items, damaged.content.count);
        bool taken = work->decode(s, &r);
        *(taken ? &t->accepted : &t->refused) += 1;
        assert_true(taken || work->count(s) == count);
        work->drop(s, work->count(s) - count);
    }
    bytes_free(&whole);
    bytes_free(&damaged);
    return true;
}

/* ---- explorations ---- */

/* How many executions it counts; 0 if the program is not for POP, which it sees sooner or later,
 * depending on the order of work. */
static uint64_t explore(const program *p, exchange *e) {
    sink s = {&counting};
    exploration x;
    target *t = interpreter_create(p);
    exploration_init(&x, t, &s);
    x.exchange = e;
    x.limits.max_executions = EXECUTIONS_MOST;
    counted = 0;
    enum exploration_end end = exploration_run(&x, strategy_find("pop"));
    exploration_free(&x);
    t->class->destroy(t);
    return end == EXPLORATION_UNSUITED ? 0 : counted;
}

static void explore_programs(taker *t) {
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        sketch s;
        printed text;
        program p;
        parse_error error;
        generator_program(&(generator_request){.seed = 11, .kind = GENERATOR_ANY_KIND}, i, &s);
        print_sketch(&s, &text);
        assert_true(print_parse(&p, text.text, &error));
        if (!machine_has_loops(&p)) { /* what is learnt of loops, and when, depends on the order */
            uint64_t expected = explore(&p, NULL);
            assert_int_equal(explore(&p, &t->exchange), expected);
        }
        program_free(&p);
        footprint_table_clear();
    }
    assert_int_equal(memory_in_use(), 0);
}

static const volatile uint32_t always = 1;

static void test_bytes_are_the_same_again(void **state) {
    static const exchange_class comparing = {.serve = compare_bytes, .refill = has_no_more};
    taker t = {.exchange = {.class = &comparing, .wanted = &always}};
    (void)state;
    explore_programs(&t);
}

static void test_damaged_bytes_do_no_harm(void **state) {
    static const exchange_class damaging = {.serve = damage_bytes, .refill = has_no_more};
    taker t = {.exchange = {.class = &damaging, .wanted = &always}, .random = {3}};
    (void)state;
    explore_programs(&t);
    assert_true(t.refused > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_the_same_again),
        cmocka_unit_test(test_damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
