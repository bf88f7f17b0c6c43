#include "report/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "report/outcome.h"

static finding_string add(finding *f, const char *string) {
    uint32_t start = text_length(&f->pool);
    text_append(&f->pool, string);
    text_append_bytes(&f->pool, "", 1);
    return start;
}

static finding example(void) {
    finding f = {.end = FINDING_DEADLOCK, .kind = ERROR_DEADLOCK, .count = 3};
    add(&f, "");
    f.message = add(&f, "deadlock: p waits for m");
    f.ending = add(&f, "deadlock");
    vector_push(&f.places, (finding_place){0});
    vector_push(&f.places, (finding_place){.file = add(&f, "/tmp/a.c"), .line = 7});
    vector_push(&f.threads, add(&f, "p"));
    vector_push(&f.shared, add(&f, "0 72 8"));
    finding_step s = {.step = {0, CHOICE_NONE}, .kind = OPERATION_WRITE, .valued = true};
    s.name = add(&f, "x");
    s.description = add(&f, "write x = -1");
    s.value = s.after = UINT64_MAX;
    s.writes = s.after_known = true;
    s.place = f.place = 1;
    vector_push(&f.steps, s);
    s.step.choice = 2;
    vector_push(&f.steps, s);
    vector_push(&f.edges, (finding_edge){0, 1, true});
    f.thread = FINDING_NO_THREAD;
    f.doomed = 2;
    vector_push(&f.relations, (finding_relation){.what = s.name, .place = 1, .step = 1});
    vector_push(&f.relations, (finding_relation){.what = s.name, .step = FINDING_NO_STEP});
    vector_push(&f.waits, (finding_wait){.kind = OPERATION_LOCK, .object = 9, .name = s.name});
    return f;
}

static void bytes_and_back(void **state) {
    (void)state;
    finding f = example(), g;
    bytes one = {0}, two = {0};
    finding_encode(&f, &one);
    byte_reader r = byte_reader_of(one.content.items, one.content.count);
    assert_true(finding_decode(&g, &r));
    assert_true(bytes_finished(&r));
    finding_encode(&g, &two);
    assert_int_equal(one.content.count, two.content.count);
    assert_memory_equal(one.content.items, two.content.items, two.content.count);
    assert_string_equal(finding_text(&g, g.message), "deadlock: p waits for m");
    assert_int_equal(vector_at(&g.steps, 1).step.choice, 2);
    assert_int_equal(vector_at(&g.steps, 0).step.choice, CHOICE_NONE);
    bytes_free(&one);
    bytes_free(&two);
    finding_free(&f);
    finding_free(&g);
    assert_int_equal(memory_in_use(), 0);
}

/* Bytes that were changed are refused, or are a finding in which every number is within its
 * bounds; the sanitizers watch. */
static void changed_bytes(void **state) {
    (void)state;
    random_source random = {7};
    for (uint32_t i = 0; i < 20000; i++) {
        finding f = example(), g;
        bytes b = {0};
        finding_encode(&f, &b);
        for (uint32_t n = 1 + random_below(&random, 3); n; n--) {
            vector_at(&b.content, random_below(&random, b.content.count)) =
                (unsigned char)random_next(&random);
        }
        byte_reader r = byte_reader_of(
            b.content.items,
            random_below(&random, 4) ? b.content.count : random_below(&random, b.content.count));
        if (finding_decode(&g, &r)) {
            text out = {0};
            for (uint32_t j = 0; j < g.steps.count; j++) {
                assert_true(vector_at(&g.steps, j).step.thread < g.threads.count);
                text_append(&out, finding_text(&g, vector_at(&g.steps, j).description));
                finding_describe_place(&g, vector_at(&g.steps, j).place, &out);
            }
            for (uint32_t j = 0; j < g.edges.count; j++) {
                assert_true(vector_at(&g.edges, j).before < vector_at(&g.edges, j).after);
                assert_true(vector_at(&g.edges, j).after < g.steps.count);
            }
            text_free(&out);
            finding_free(&g);
        }
        bytes_free(&b);
        finding_free(&f);
    }
    assert_int_equal(memory_in_use(), 0);
}

static void text_is_cleaned(void **state) {
    (void)state;
    bytes b = {0};
    text out = {0};
    bytes_put_string(&b, "a\n\xff\xc3\xa9\x7f");
    byte_reader r = byte_reader_of(b.content.items, b.content.count);
    bytes_take_string(&r, &out);
    assert_true(bytes_finished(&r));
    assert_string_equal(text_string(&out), "a \xef\xbf\xbd\xc3\xa9 ");
    vector_at(&b.content, 1) = '\n';
    r = byte_reader_of(b.content.items, b.content.count);
    text_clear(&out);
    bytes_take_string(&r, &out);
    assert_true(r.failed);
    assert_string_equal(text_string(&out), "");
    text_free(&out);
    bytes_free(&b);
}

static void numbers(void **state) {
    (void)state;
    static const uint64_t examples[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
    for (uint32_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        bytes b = {0};
        bytes_put_number(&b, examples[i]);
        byte_reader r = byte_reader_of(b.content.items, b.content.count);
        assert_true(bytes_take_number(&r, UINT64_MAX) == examples[i] && bytes_finished(&r));
        r = byte_reader_of(b.content.items, b.content.count);
        assert_true(bytes_take_number(&r, 299) <= 299 && r.failed == (examples[i] > 299));
        bytes_free(&b);
    }
}

static void outcomes(void **state) {
    (void)state;
    outcome o = {.end = EXPLORATION_LIMIT, .counters.executions = 12, .seconds = 0.5}, p;
    outcome_warn(&o, "a warning\nin two lines");
    outcome_note(&o, "a note");
    text_append(&o.algorithm, "pop");
    bytes b = {0};
    outcome_encode(&o, &b);
    byte_reader r = byte_reader_of(b.content.items, b.content.count);
    assert_true(outcome_decode(&p, &r) && bytes_finished(&r));
    assert_int_equal(p.counters.executions, 12);
    assert_int_equal(outcome_verdict(&p), VERDICT_INCOMPLETE);
    assert_string_equal(text_string(&vector_at(&p.warnings, 0)), "a warning in two lines");
    assert_string_equal(text_string(&vector_at(&p.notes, 0)), "a note");
    bytes_free(&b);
    outcome_free(&o);
    outcome_free(&p);
    assert_int_equal(memory_in_use(), 0);
}

/* Of what was explored since, an estimate knows nothing. */
static void estimates(void **state) {
    (void)state;
    outcome o = {.end = EXPLORATION_LIMIT, .counters.executions = 12};
    assert_false(outcome_has_forecast(&o));
    o.forecast = (forecast){.known = true, .low = 5, .likely = 8, .high = 12};
    assert_true(outcome_has_forecast(&o));
    o.counters.executions = 13;
    assert_false(outcome_has_forecast(&o));
    o.counters.executions = 10;
    o.end = EXPLORATION_COMPLETE;
    assert_false(outcome_has_forecast(&o));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_and_back),  cmocka_unit_test(changed_bytes),
        cmocka_unit_test(text_is_cleaned), cmocka_unit_test(numbers),
        cmocka_unit_test(outcomes),        cmocka_unit_test(estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
