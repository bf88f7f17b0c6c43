#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void counts_what_is_in_use(void **state) {
    (void)state;
    char *small = memory_resize(NULL, 0, 10);
    char *large = memory_resize(NULL, 0, 1000);
    assert_int_equal(memory_in_use(), 1010);
    small = memory_resize(small, 10, 20);
    assert_int_equal(memory_in_use(), 1020);
    large = memory_resize(large, 1000, 1);
    assert_int_equal(memory_in_use(), 21);
    memory_resize(small, 20, 0);
    memory_resize(large, 1, 0);
    assert_int_equal(memory_in_use(), 0);
}

static void new_memory_is_zero(void **state) {
    (void)state;
    const char zeros[5000] = {0};
    char *block = memory_resize(NULL, 0, sizeof zeros);
    assert_memory_equal(block, zeros, sizeof zeros);
    memory_resize(block, sizeof zeros, 0);
}

static void growing_keeps_the_old_and_zeroes_the_new(void **state) {
    (void)state;
    char *block = memory_resize(NULL, 0, 8);
    memset(block, 'a', 8);
    block = memory_resize(block, 8, 4096);
    assert_memory_equal(block, "aaaaaaaa\0\0\0\0", 12);
    assert_int_equal(block[4095], 0);
    memory_resize(block, 4096, 0);
}

static void shrinking_forgets_the_rest(void **state) {
    (void)state;
    char *block = memory_resize(NULL, 0, 64);
    memset(block, 'b', 64);
    block = memory_resize(block, 64, 2);
    block = memory_resize(block, 2, 4);
    assert_memory_equal(block, "bb\0\0", 4);
    memory_resize(block, 4, 0);
}

/* Blocks beyond a megabyte are kept in another way: into it, within it and out of it. */
static void large_blocks_behave_alike(void **state) {
    (void)state;
    enum { SMALL = 1000, LARGE = (1 << 20) + 10, LARGER = (1 << 22) + 4000 };
    char *block = memory_resize(NULL, 0, SMALL);
    memset(block, 'a', SMALL);
    block = memory_resize(block, SMALL, LARGE);
    assert_true(block[0] == 'a' && block[SMALL - 1] == 'a' && !block[SMALL] && !block[LARGE - 1]);
    memset(block, 'b', LARGE);
    block = memory_resize(block, LARGE, LARGER);
    assert_true(block[LARGE - 1] == 'b' && !block[LARGE] && !block[LARGER - 1]);
    memset(block, 'c', LARGER);
    block = memory_resize(block, LARGER, LARGE);
    block = memory_resize(block, LARGE, LARGE + 5000);
    assert_true(block[LARGE - 1] == 'c' && !block[LARGE] && !block[LARGE + 4999]);
    block = memory_resize(block, LARGE + 5000, SMALL);
    assert_int_equal(memory_in_use(), SMALL);
    assert_true(block[SMALL - 1] == 'c');
    block = memory_resize(block, SMALL, LARGE);
    assert_null(memory_resize(block, LARGE, 0));
    assert_int_equal(memory_in_use(), 0);
}

static void releasing_gives_null(void **state) {
    (void)state;
    assert_null(memory_resize(memory_resize(NULL, 0, 3), 3, 0));
    assert_null(memory_resize(NULL, 0, 0));
}

static void a_block_without_size_is_noticed(void **state) {
    (void)state;
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        memory_resize(NULL, 8, 16);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

/* When much more is in use than before, it is said once. */
static void much_is_said(void **state) {
    (void)state;
    uint32_t word = 0;
    memory_limit(40000, 1);
    memory_watch(&word);
    char *some = memory_resize(NULL, 0, 9000);
    assert_int_equal(word, 0);
    assert_false(memory_is_much());
    char *more = memory_resize(NULL, 0, 2000);
    assert_int_equal(word, 1);
    assert_true(memory_is_much());
    word = 0;
    more = memory_resize(more, 2000, 4000);
    assert_int_equal(word, 0);
    memory_watch(&word);
    assert_false(memory_is_much());
    memory_resize(some, 9000, 0);
    memory_resize(more, 4000, 0);
    memory_limit(0, 1);
}

/* What is left of the limit by what the process takes itself, and by others for it, can be used. */
static void own_memory_is_part_of_the_limit(void **state) {
    enum { LIMIT = 1 << 28, PROCESSES = 4, STEP = 1 << 20 };
    (void)state;
    volatile uint32_t word = 0;
    uint32_t own = (uint32_t)memory_of_process();
    assert_true(own > 0 && own < LIMIT / PROCESSES / 2);
    memory_limit(LIMIT, PROCESSES);
    memory_watch((uint32_t *)&word);
    char *block = NULL;
    uint32_t size = 0, room = LIMIT / PROCESSES / 16 * 15 - own; /* a quarter of it is much */
    for (; !word; size += STEP) {
        block = memory_resize(block, size, size + STEP);
    }
    assert_true(size <= room / 4 + STEP && size + STEP >= room / 4);
    memory_resize(block, size, 0);
    memory_limit(0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_is_in_use),
        cmocka_unit_test(new_memory_is_zero),
        cmocka_unit_test(growing_keeps_the_old_and_zeroes_the_new),
        cmocka_unit_test(shrinking_forgets_the_rest),
        cmocka_unit_test(releasing_gives_null),
        cmocka_unit_test(large_blocks_behave_alike),
        cmocka_unit_test(a_block_without_size_is_noticed),
        cmocka_unit_test(much_is_said),
        cmocka_unit_test(own_memory_is_part_of_the_limit),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
