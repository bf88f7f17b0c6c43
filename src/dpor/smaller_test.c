/* p writes z; q writes x twice; r writes y twice. s waits for x and y. */
#include "dpor/smaller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R, S };
enum { X, Y, Z };

static execution e;
static reversal v;
static char tried[256];
static uint32_t open_q, open_r; /* it can continue after so many steps of them */

static void take(uint32_t thread, footprint f) {
    execution_append(&e, thread, CHOICE_NONE, &(operation){.footprint = f});
}

static int setup(void **state) {
    (void)state;
    execution_init(&e);
    reversal_init(&v);
    tried[0] = '\0';
    take(P, writes(Z));
    take(Q, writes(X));
    take(R, writes(Y));
    take(Q, writes(X));
    take(R, writes(Y));
    take(S, reads(Z));
    reversal_start(&v, &e);
    reversal_open(&v, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    execution_free(&e);
    reversal_free(&v);
    footprint_table_clear();
    return memory_in_use() != 0;
}

static bool try(void *context) {
    (void)context;
    uint32_t q = vector_at(&v.end, Q), r = vector_at(&v.end, R);
    snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "%u%u ", q, r);
    return q == open_q && r == open_r;
}

static void visit(uint32_t q, uint32_t r) {
    open_q = q;
    open_r = r;
    const memory_access both[] = {{X, ACCESS_ALL_BYTES, ACCESS_READ},
                                  {Y, ACCESS_ALL_BYTES, ACCESS_READ}};
    smaller_visit(&v, S, footprint_of(both, 2), try, NULL);
    assert_int_equal(v.events.count, 4);
    assert_int_equal(vector_at(&v.end, Q), 2);
    assert_int_equal(vector_at(&v.end, R), 2);
}

static void all_states_of_two_objects_are_tried(void **state) {
    (void)state;
    visit(9, 9);
    assert_string_equal(tried, "21 11 10 00 01 20 12 02 ");
}

static void nothing_more_is_left_out_where_it_can_continue(void **state) {
    (void)state;
    visit(1, 2);
    assert_string_equal(tried, "21 11 10 00 01 20 12 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_states_of_two_objects_are_tried, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_more_is_left_out_where_it_can_continue, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
