#include "dpor/remembered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/footprints_test.h"

enum { P, Q, R };
enum { X, Y, Z };

static void push(step_sequence *s, uint32_t thread, footprint f) {
    vector_push(s, (sleeper){thread, CHOICE_NONE, f});
}

static wakeup_forest forest;
static remembered_pool pool;
static uint32_t root;
static step_sequence sequence;

static void begin(void) {
    wakeup_init(&forest);
    remembered_init(&pool);
    root = wakeup_new(&forest, 0, CHOICE_NONE, FOOTPRINT_EMPTY);
    push(&sequence, P, reads(X));
    push(&sequence, Q, reads(Y));
}

static uint32_t grow(uint32_t parent, uint32_t thread) {
    uint32_t node = wakeup_new(&forest, thread, CHOICE_NONE, reads(Z));
    wakeup_append(&forest, parent, node);
    return node;
}

static uint32_t list_length(uint32_t first) {
    uint32_t count = 0;
    for (; first != REMEMBERED_NONE; first = remembered_next(&pool, first)) {
        count++;
    }
    return count;
}

static void finish(void) {
    wakeup_free(&forest);
    remembered_free(&pool);
    vector_free(&sequence);
    assert_int_equal(memory_in_use(), 0);
}

static void all_below_a_node_is_taken_once(void **state) {
    (void)state;
    begin();
    uint32_t child = grow(root, R), leaf = grow(child, P), other = grow(root, Q);
    remembered_add(&pool, leaf, &sequence, 0);
    remembered_add(&pool, child, &sequence, 0);
    remembered_add(&pool, other, &sequence, 0);
    uint32_t list = remembered_take(&pool, &forest, child);
    assert_int_equal(list_length(list), 2);
    remembered_drop(&pool, list);
    assert_int_equal(remembered_take(&pool, &forest, child), REMEMBERED_NONE);
    list = remembered_take(&pool, &forest, root);
    assert_int_equal(list_length(list), 1);
    remembered_drop(&pool, list);
    finish();
}

static void what_was_dropped_is_used_again(void **state) {
    (void)state;
    begin();
    uint32_t leaf = grow(root, R);
    for (uint32_t i = 0; i < 100; i++) {
        remembered_add(&pool, leaf, &sequence, 0);
        remembered_drop(&pool, remembered_take(&pool, &forest, leaf));
    }
    assert_int_equal(pool.items.count, 1);
    finish();
}

static void steps_that_were_taken_since_are_gone(void **state) {
    (void)state;
    begin();
    uint32_t leaf = grow(root, R);
    execution e;
    step_sequence left = {0};
    execution_init(&e);
    execution_append(&e, P, CHOICE_NONE, &(operation){.footprint = reads(Z)});
    remembered_add(&pool, leaf, &sequence, 1);
    execution_append(&e, P, CHOICE_NONE, &(operation){.footprint = reads(X)});
    execution_append(&e, R, CHOICE_NONE, &(operation){.footprint = reads(Z)});
    uint32_t item = remembered_take(&pool, &forest, leaf);
    assert_true(remembered_contains(&pool, item, &e, 1, P, &left));
    assert_int_equal(left.count, 2);
    assert_false(remembered_contains(&pool, item, &e, 3, P, &left));
    assert_true(remembered_contains(&pool, item, &e, 3, Q, &left));
    assert_int_equal(left.count, 1);
    remembered_drop(&pool, item);
    vector_free(&left);
    execution_free(&e);
    finish();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_below_a_node_is_taken_once),
        cmocka_unit_test(what_was_dropped_is_used_again),
        cmocka_unit_test(steps_that_were_taken_since_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
