#include "dpor/dontdo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static void descend(dontdo_stack *d, uint32_t thread, footprint f) {
    dontdo_descend(d, &(event){.thread = thread, .choice = CHOICE_NONE, .footprint = f});
}

/* p's step and then q's are not to be done. */
static void add_pair(dontdo_stack *d, uint32_t length, footprint p, footprint q, uint32_t tag) {
    sleeper steps[] = {{P, CHOICE_NONE, p}, {Q, CHOICE_NONE, q}};
    dontdo_add(d, length, steps, 2, tag);
}

static bool contains(const dontdo_stack *d, uint32_t length, uint32_t thread) {
    return dontdo_contains(d, length, thread, CHOICE_NONE);
}

static void finish(dontdo_stack *d) {
    dontdo_free(d);
    assert_int_equal(memory_in_use(), 0);
}

static void a_sequence_shrinks_as_it_is_followed(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(X), DONTDO_UNTAGGED);
    assert_false(contains(&d, 0, P));
    descend(&d, P, writes(X));
    assert_true(contains(&d, 1, Q));
    assert_false(contains(&d, 1, P));
    finish(&d);
}

static void what_is_independent_stays(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(X), DONTDO_UNTAGGED);
    descend(&d, R, writes(Y));
    descend(&d, P, writes(X));
    assert_true(contains(&d, 2, Q));
    finish(&d);
}

static void a_conflict_drops_it(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(X), DONTDO_UNTAGGED);
    descend(&d, R, writes(X));
    descend(&d, P, writes(X));
    assert_false(contains(&d, 2, Q));
    finish(&d);
}

static void a_step_from_its_middle_is_taken_out_if_it_may_come_first(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(Y), DONTDO_UNTAGGED);
    descend(&d, Q, reads(Y));
    assert_true(contains(&d, 1, P));
    finish(&d);
    dontdo_init(&d);
    add_pair(&d, 0, writes(Z), reads(Z), DONTDO_UNTAGGED);
    descend(&d, Q, reads(Z));
    assert_false(contains(&d, 1, P));
    finish(&d);
}

static void another_alternative_is_another_step(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    sleeper steps[] = {{P, 0, reads(X)}, {Q, 1, writes(X)}};
    dontdo_add(&d, 0, steps, 2, DONTDO_UNTAGGED);
    dontdo_descend(&d, &(event){.thread = P, .choice = 1, .footprint = reads(X)});
    assert_int_equal(d.held, 1);
    dontdo_ascend(&d, 0);
    dontdo_descend(&d, &(event){.thread = P, .choice = 0, .footprint = reads(X)});
    assert_true(dontdo_contains(&d, 1, Q, 1));
    assert_false(dontdo_contains(&d, 1, Q, 0));
    finish(&d);
}

static void each_is_there_once_and_can_be_revoked(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(X), 7);
    add_pair(&d, 0, writes(X), reads(X), 8);
    assert_int_equal(d.held, 1);
    dontdo_revoke(&d, 0, 8);
    assert_int_equal(d.held, 1);
    dontdo_revoke(&d, 0, 7);
    assert_int_equal(d.held, 0);
    assert_int_equal(d.most, 1);
    descend(&d, P, writes(X));
    assert_false(contains(&d, 1, Q));
    finish(&d);
}

static void going_back_forgets_longer_prefixes(void **state) {
    (void)state;
    dontdo_stack d;
    dontdo_init(&d);
    add_pair(&d, 0, writes(X), reads(X), DONTDO_UNTAGGED);
    descend(&d, P, writes(X));
    assert_int_equal(d.held, 2);
    dontdo_ascend(&d, 0);
    assert_int_equal(d.held, 1);
    descend(&d, R, reads(Z));
    assert_false(contains(&d, 1, Q));
    finish(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequence_shrinks_as_it_is_followed),
        cmocka_unit_test(what_is_independent_stays),
        cmocka_unit_test(a_conflict_drops_it),
        cmocka_unit_test(a_step_from_its_middle_is_taken_out_if_it_may_come_first),
        cmocka_unit_test(another_alternative_is_another_step),
        cmocka_unit_test(each_is_there_once_and_can_be_revoked),
        cmocka_unit_test(going_back_forgets_longer_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
