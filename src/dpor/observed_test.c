#include "dpor/observed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"
#include "dpor/mail_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static execution e;
static observed_order order;

static void begin(void) {
    execution_init(&e);
    order = (observed_order){0};
}

static uint32_t step(uint32_t thread, footprint f) {
    return execution_append(&e, thread, CHOICE_NONE, &(operation){.footprint = f});
}

static bool before(uint32_t a, uint32_t b) {
    return observed_before(&order, &e, a, b);
}

static void finish(void) {
    observed_order_free(&order);
    execution_free(&e);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
}

static footprint bytes(uint32_t object, uint8_t mask, enum access_mode mode) {
    return footprint_single((memory_access){object, mask, (uint8_t)mode});
}

static void only_writes_of_the_same_wait_for_an_observer(void **state) {
    (void)state;
    begin();
    assert_int_equal(observed_relation(writes(X), writes(X)), RELATION_OBSERVED);
    assert_int_equal(observed_relation(writes(X), writes(Y)), RELATION_NONE);
    assert_int_equal(observed_relation(reads(X), reads(X)), RELATION_NONE);
    assert_int_equal(observed_relation(writes(X), reads(X)), RELATION_ORDERED);
    assert_int_equal(observed_relation(bytes(X, 3, ACCESS_WRITE), bytes(X, 1, ACCESS_WRITE)),
                     RELATION_ORDERED);
    footprint both = bytes(X, ACCESS_ALL_BYTES, ACCESS_READ_WRITE);
    assert_int_equal(observed_relation(both, both), RELATION_ORDERED);
    assert_int_equal(observed_relation(send(1), send(2)), RELATION_MAIL);
    finish();
}

static void writes_are_read_and_overwritten_byte_by_byte(void **state) {
    (void)state;
    begin();
    footprint word = bytes(X, 3, ACCESS_WRITE), low = bytes(X, 1, ACCESS_WRITE);
    assert_true(footprint_writes(word) == word);
    assert_true(footprint_writes(reads(X)) == FOOTPRINT_EMPTY);
    assert_true(footprint_reads(bytes(X, 2, ACCESS_READ), word));
    assert_false(footprint_reads(bytes(X, 4, ACCESS_READ), word));
    assert_false(footprint_reads(word, word));
    assert_true(footprint_remaining(word, low) == bytes(X, 2, ACCESS_WRITE));
    assert_true(footprint_remaining(low, word) == FOOTPRINT_EMPTY);
    assert_true(footprint_remaining(word, reads(X)) == word);
    finish();
}

static void unobserved_writes_are_unordered(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, writes(X)), q = step(Q, writes(X));
    observed_order_compute(&order, &e, 0);
    assert_false(before(p, q));
    assert_false(vector_at(&order.futures, q).observed);
    finish();
}

static void an_observer_orders_the_write_that_it_reads(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, writes(X)), q = step(Q, writes(X)), r = step(R, reads(X));
    observed_order_compute(&order, &e, 0);
    assert_true(vector_at(&order.futures, q).observed);
    assert_false(vector_at(&order.futures, p).observed);
    assert_true(before(p, q) && before(q, r));
    finish();
}

static void an_overwritten_write_stays_unordered(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, writes(X)), q = step(Q, writes(X)), r = step(R, writes(X));
    step(R, reads(X));
    observed_order_compute(&order, &e, 0);
    assert_false(before(p, q));
    assert_true(before(p, r) && before(q, r));
    finish();
}

static void a_later_observer_changes_clocks_that_were_known(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, writes(X)), q = step(Q, writes(X));
    step(R, reads(Y));
    observed_order_compute(&order, &e, 0);
    assert_false(before(p, q));
    execution_truncate(&e, 2);
    step(R, reads(X));
    observed_order_compute(&order, &e, 2);
    assert_true(before(p, q));
    execution_truncate(&e, 2);
    step(R, reads(Z));
    observed_order_compute(&order, &e, 2);
    assert_false(before(p, q));
    finish();
}

static void sends_are_ordered_if_a_receive_could_have_taken_either(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, send(1)), q = step(Q, send(1));
    observed_order_compute(&order, &e, 0);
    assert_false(before(p, q));
    uint32_t r = step(R, receive(1));
    observed_order_compute(&order, &e, 0);
    assert_int_equal(vector_at(&order.futures, p).receiver, r);
    assert_true(observed_mail_ordered(&order, &e, p, q));
    assert_true(before(p, q));
    finish();
}

static void sends_of_different_kinds_stay_unordered(void **state) {
    (void)state;
    begin();
    uint32_t p = step(P, send(1)), q = step(Q, send(2));
    step(R, receive(1));
    observed_order_compute(&order, &e, 0);
    assert_false(observed_mail_ordered(&order, &e, p, q));
    assert_false(before(p, q));
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_writes_of_the_same_wait_for_an_observer),
        cmocka_unit_test(writes_are_read_and_overwritten_byte_by_byte),
        cmocka_unit_test(unobserved_writes_are_unordered),
        cmocka_unit_test(an_observer_orders_the_write_that_it_reads),
        cmocka_unit_test(an_overwritten_write_stays_unordered),
        cmocka_unit_test(a_later_observer_changes_clocks_that_were_known),
        cmocka_unit_test(sends_are_ordered_if_a_receive_could_have_taken_either),
        cmocka_unit_test(sends_of_different_kinds_stay_unordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
