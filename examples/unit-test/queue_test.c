/* Tests of the queue with cmocka; those with threads cover every schedule. */
#include <assert.h>
#include <heddle/check.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "queue.h"

/* ---- one thread ---- */

static void first_in_first_out(void **state) {
    (void)state;
    queue q;
    queue_open(&q);
    queue_put(&q, 1);
    queue_put(&q, 2);
    assert_int_equal(queue_take(&q), 1);
    assert_int_equal(queue_take(&q), 2);
    queue_close(&q);
}

/* ---- several, each in every schedule ---- */

static queue shared;

static void *take_one(void *sum) {
    int item = queue_take(&shared);
    assert(item == 1 || item == 2);
    *(int *)sum = item;
    return NULL;
}

/* Two threads take what a third one puts; each item is taken once. */
static void every_item_once(void *none) {
    pthread_t takers[2];
    int taken[2];
    (void)none;
    queue_open(&shared);
    for (int i = 0; i < 2; i++) {
        pthread_create(&takers[i], NULL, take_one, &taken[i]);
    }
    queue_put(&shared, 1);
    queue_put(&shared, 2);
    for (int i = 0; i < 2; i++) {
        pthread_join(takers[i], NULL);
    }
    assert(taken[0] + taken[1] == 3);
    queue_close(&shared);
}

static void *put_all(void *count) {
    for (int i = 1; i <= *(const int *)count; i++) {
        queue_put(&shared, i);
    }
    return NULL;
}

/* One thread puts more than there is room for; the other takes all of it, in order. */
static void order_is_kept(void *count) {
    pthread_t putter;
    queue_open(&shared);
    pthread_create(&putter, NULL, put_all, count);
    for (int i = 1; i <= *(const int *)count; i++) {
        assert(queue_take(&shared) == i);
    }
    pthread_join(putter, NULL);
    queue_close(&shared);
}

static void test_every_item_once(void **state) {
    (void)state;
    assert_int_equal(heddle_check(every_item_once, NULL, NULL), HEDDLE_VERIFIED);
}

static void test_order_is_kept(void **state) {
    (void)state;
    int count = QUEUE_SIZE + 1;
    heddle_options options = {.argument_size = sizeof count, .options = "--max-steps=1000"};
    assert_int_equal(heddle_check(order_is_kept, &count, &options), HEDDLE_VERIFIED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_in_first_out),
        cmocka_unit_test(test_every_item_once),
        cmocka_unit_test(test_order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
