#include "cli/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/random.h"

enum { BLOCKS = 40 };

/* Bytes that say which block they are of. */
static bytes make(uint32_t number, uint32_t size) {
    bytes b = {0};
    for (uint32_t i = 0; i < size; i++) {
        vector_push(&b.content, (unsigned char)(number * 31 + i));
    }
    return b;
}

static void has(const stored *s, uint32_t number, uint32_t size) {
    bytes wanted = make(number, size), got = {0};
    vector_push(&got.content, 7); /* what is there stays */
    assert_true(stored_get(s, &got));
    assert_int_equal(s->size, size);
    assert_int_equal(got.content.count, size + 1);
    if (size) {
        assert_memory_equal(got.content.items + 1, wanted.content.items, size);
    }
    bytes_free(&wanted);
    bytes_free(&got);
}

/* Whatever is put and freed in whatever order, each block is what it was. */
static void blocks_stay_what_they_are(void **state) {
    (void)state;
    stored blocks[BLOCKS] = {0};
    uint32_t numbers[BLOCKS] = {0}, sizes[BLOCKS] = {0};
    random_source random = {5};
    store_open(NULL, 0);
    for (uint32_t i = 0; i < 4000; i++) {
        uint32_t at = random_below(&random, BLOCKS);
        sizes[at] = random_below(&random, 3) ? random_below(&random, 9000) : 0;
        numbers[at] = i;
        bytes content = make(i, sizes[at]);
        stored_put(&blocks[at], &content);
        assert_int_equal(content.content.count, 0);
        at = random_below(&random, BLOCKS);
        has(&blocks[at], numbers[at], sizes[at]);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        has(&blocks[i], numbers[i], sizes[i]);
        stored_free(&blocks[i]);
    }
    assert_null(store_complaint());
    store_close();
}

static void some_are_in_the_file(void **state) {
    (void)state;
    stored one = {0}, other = {0};
    store_open(NULL, 0);
    bytes content = make(1, 1000);
    stored_put(&one, &content);
    content = make(2, 100000);
    stored_put(&other, &content);
    assert_int_equal(one.place, 0);
    assert_int_not_equal(other.place, 0);
    assert_int_equal(other.content.content.count, 0);
    stored_free(&one);
    stored_free(&other);
    store_close();
}

/* What cannot be written stays in memory, and that is said. */
static void full_disks_lose_nothing(void **state) {
    (void)state;
    stored s = {0};
    struct rlimit before, none = {0};
    store_open(NULL, 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_NOFILE, &none);
    bytes content = make(3, 100000);
    stored_put(&s, &content);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_non_null(store_complaint());
    has(&s, 3, 100000);
    stored_free(&s);
    store_close();
}

int main(void) {
    setenv("HEDDLE_STORE_BYTES", "20000", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_stay_what_they_are),
        cmocka_unit_test(some_are_in_the_file),
        cmocka_unit_test(full_disks_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
