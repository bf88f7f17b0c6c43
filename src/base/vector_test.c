#include "base/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef VECTOR(uint32_t) number_list;

static void starts_without_memory(void **state) {
    (void)state;
    number_list numbers = {0};
    assert_int_equal(numbers.count, 0);
    assert_int_equal(memory_in_use(), 0);
    vector_free(&numbers);
    assert_int_equal(memory_in_use(), 0);
}

static void keeps_what_was_pushed(void **state) {
    (void)state;
    number_list numbers = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        vector_push(&numbers, i * i);
    }
    assert_int_equal(numbers.count, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(vector_at(&numbers, i), i * i);
    }
    vector_free(&numbers);
}

/* In the torture build from one element on, so that everything moves all the time. */
static void doubles_its_capacity(void **state) {
    (void)state;
    number_list numbers = {0};
    uint32_t expected = VECTOR_FIRST_CAPACITY;
    for (uint32_t count = 1; count <= 200; count++) {
        vector_push(&numbers, count);
        expected = count > expected ? expected * 2 : expected;
        assert_int_equal(numbers.capacity, expected);
        assert_int_equal(memory_in_use(), expected * sizeof(uint32_t));
    }
    vector_free(&numbers);
}

static void an_element_of_its_own_can_be_pushed(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_push(&numbers, 7);
    for (uint32_t i = 0; i < 100; i++) {
        int first = vector_at(&numbers, 0);
        vector_push(&numbers, first);
    }
    assert_int_equal(vector_last(&numbers), 7);
    vector_free(&numbers);
}

static void pops_the_last_first(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_push(&numbers, 1);
    vector_push(&numbers, 2);
    assert_int_equal(vector_last(&numbers), 2);
    assert_int_equal(vector_pop(&numbers), 2);
    assert_int_equal(vector_pop(&numbers), 1);
    assert_int_equal(numbers.count, 0);
    vector_free(&numbers);
}

static void takes_structs_with_commas(void **state) {
    (void)state;
    struct pair {
        int left, right;
    };
    VECTOR(struct pair) pairs = {0};
    vector_push(&pairs, (struct pair){.left = 1, .right = 2});
    vector_push(&pairs, (struct pair){3, 4});
    assert_int_equal(vector_at(&pairs, 0).right, 2);
    assert_int_equal(vector_at(&pairs, 1).left, 3);
    vector_free(&pairs);
}

static void clearing_keeps_the_memory(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_resize(&numbers, 100);
    const uint32_t *items = numbers.items;
    size_t in_use = memory_in_use();
    vector_clear(&numbers);
    for (uint32_t i = 0; i < 100; i++) {
        vector_push(&numbers, i);
    }
    assert_ptr_equal(numbers.items, items);
    assert_int_equal(memory_in_use(), in_use);
    vector_free(&numbers);
}

static void resizing_zeroes_what_was_never_used(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_push(&numbers, 5);
    vector_resize(&numbers, 50);
    assert_int_equal(vector_at(&numbers, 0), 5);
    for (uint32_t i = 1; i < 50; i++) {
        assert_int_equal(vector_at(&numbers, i), 0);
    }
    vector_free(&numbers);
}

static void reserving_does_not_count(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_reserve(&numbers, 33);
    assert_int_equal(numbers.count, 0);
    assert_true(numbers.capacity >= 33);
    const uint32_t *items = numbers.items;
    vector_reserve(&numbers, 2);
    assert_ptr_equal(numbers.items, items);
    vector_free(&numbers);
}

static void freeing_gives_everything_back(void **state) {
    (void)state;
    number_list numbers = {0};
    vector_resize(&numbers, 1000);
    vector_free(&numbers);
    assert_null(numbers.items);
    assert_int_equal(numbers.count, 0);
    assert_int_equal(numbers.capacity, 0);
    assert_int_equal(memory_in_use(), 0);
}

static void expect_numbers(const number_list *list, const uint32_t *expected, uint32_t count) {
    assert_int_equal(list->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(vector_at(list, i), expected[i]);
    }
}

static void appends_and_assigns(void **state) {
    (void)state;
    number_list numbers = {0}, none = {0};
    const uint32_t more[] = {4, 5, 6};
    vector_append(&numbers, none.items, none.count);
    assert_null(numbers.items);
    vector_append(&numbers, more, 3);
    vector_append(&numbers, more + 1, 1);
    expect_numbers(&numbers, (const uint32_t[]){4, 5, 6, 5}, 4);
    assert_true(vector_contains(&numbers, 6));
    assert_false(vector_contains(&numbers, 7));
    vector_assign(&numbers, more + 1, 2);
    expect_numbers(&numbers, more + 1, 2);
    vector_assign(&numbers, none.items, none.count);
    assert_false(vector_contains(&numbers, 5));
    assert_int_equal(numbers.count, 0);
    vector_free(&numbers);
}

static void inserts_and_removes(void **state) {
    (void)state;
    number_list numbers = {0};
    for (uint32_t i = 0; i < 40; i++) { /* in front, in the middle and at the end */
        vector_insert(&numbers, i % 2 ? numbers.count : numbers.count / 2, i);
    }
    assert_int_equal(numbers.count, 40);
    vector_remove(&numbers, 1, 38);
    expect_numbers(&numbers, (const uint32_t[]){0, 39}, 2);
    vector_insert(&numbers, 0, 7);
    vector_insert(&numbers, 3, 8);
    expect_numbers(&numbers, (const uint32_t[]){7, 0, 39, 8}, 4);
    vector_remove(&numbers, 0, 1);
    vector_remove(&numbers, 2, 1);
    vector_remove(&numbers, 2, 0);
    expect_numbers(&numbers, (const uint32_t[]){0, 39}, 2);
    vector_remove(&numbers, 0, 2);
    assert_int_equal(numbers.count, 0);
    vector_free(&numbers);
}

/* ---- misuse ends the process ---- */

static void expect_death(void (*misuse)(void), int expected) {
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        misuse();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), expected);
}

static void pop_empty(void) {
    number_list numbers = {0};
    (void)vector_pop(&numbers);
}

static void last_of_empty(void) {
    number_list numbers = {0};
    (void)vector_last(&numbers);
}

static void grow_too_far(void) {
    number_list numbers = {0};
    vector_reserve(&numbers, UINT32_MAX);
}

static void append_too_many(void) {
    number_list numbers = {0};
    vector_push(&numbers, 1);
    vector_append(&numbers, numbers.items, UINT32_MAX);
}

static void remove_too_many(void) {
    number_list numbers = {0};
    vector_resize(&numbers, 3);
    vector_remove(&numbers, 1, 3);
}

static void insert_after_the_end(void) {
    number_list numbers = {0};
    vector_insert(&numbers, 1, 5);
}

static void misuse_is_noticed(void **state) {
    (void)state;
    expect_death(pop_empty, 70);
    expect_death(last_of_empty, 70);
    expect_death(grow_too_far, 3);
    expect_death(append_too_many, 3);
    expect_death(remove_too_many, 70);
    expect_death(insert_after_the_end, 70);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_without_memory),
        cmocka_unit_test(keeps_what_was_pushed),
        cmocka_unit_test(doubles_its_capacity),
        cmocka_unit_test(an_element_of_its_own_can_be_pushed),
        cmocka_unit_test(pops_the_last_first),
        cmocka_unit_test(takes_structs_with_commas),
        cmocka_unit_test(clearing_keeps_the_memory),
        cmocka_unit_test(resizing_zeroes_what_was_never_used),
        cmocka_unit_test(reserving_does_not_count),
        cmocka_unit_test(freeing_gives_everything_back),
        cmocka_unit_test(appends_and_assigns),
        cmocka_unit_test(inserts_and_removes),
        cmocka_unit_test(misuse_is_noticed),
    };
    return cmocka_run_group_tests_name("vector", tests, NULL, NULL);
}
