#include "core/footprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static footprint single(uint32_t object, uint8_t bytes, enum access_mode mode) {
    return footprint_single((memory_access){object, bytes, (uint8_t)mode});
}

static void assert_access(memory_access a, uint32_t object, uint8_t bytes, enum access_mode mode) {
    assert_int_equal(a.object, object);
    assert_int_equal(a.bytes, bytes);
    assert_int_equal(a.mode, mode);
}

static int clear_table(void **state) {
    (void)state;
    footprint_table_clear();
    return memory_in_use() != 0;
}

static void one_access_is_packed(void **state) {
    (void)state;
    const uint32_t objects[] = {0, 1, 77, UINT32_MAX};
    for (uint32_t i = 0; i < COUNT(objects); i++) {
        footprint f = single(objects[i], 0x81, ACCESS_READ_WRITE);
        assert_false(footprint_is_set(f));
        assert_int_equal(footprint_count(f), 1);
        assert_access(footprint_access(f, 0), objects[i], 0x81, ACCESS_READ_WRITE);
    }
    assert_int_equal(memory_in_use(), 0);
}

static void the_empty_footprint_has_no_conflicts(void **state) {
    (void)state;
    assert_true(footprint_of(NULL, 0) == FOOTPRINT_EMPTY);
    assert_int_equal(footprint_count(FOOTPRINT_EMPTY), 0);
    const memory_access two[] = {{0, 0xff, ACCESS_WRITE}, {1, 0xff, ACCESS_WRITE}};
    assert_false(footprint_conflict(FOOTPRINT_EMPTY, FOOTPRINT_EMPTY));
    assert_false(footprint_conflict(FOOTPRINT_EMPTY, single(0, 0xff, ACCESS_WRITE)));
    assert_false(footprint_conflict(footprint_of(two, 2), FOOTPRINT_EMPTY));
}

static void a_set_of_one_is_no_set(void **state) {
    (void)state;
    const memory_access once[] = {{3, 0x0f, ACCESS_WRITE}};
    assert_true(footprint_of(once, 1) == single(3, 0x0f, ACCESS_WRITE));
    const memory_access twice[] = {{3, 0x0f, ACCESS_WRITE}, {3, 0x3c, ACCESS_WRITE}};
    assert_true(footprint_of(twice, 2) == single(3, 0x3f, ACCESS_WRITE));
}

static void equal_sets_are_equal_words(void **state) {
    (void)state;
    const memory_access forward[] = {
        {1, 0xff, ACCESS_READ}, {2, 0x0f, ACCESS_WRITE}, {9, 0xff, ACCESS_READ}};
    const memory_access backward[] = {
        {9, 0xff, ACCESS_READ}, {2, 0x0f, ACCESS_WRITE}, {1, 0xff, ACCESS_READ}};
    const memory_access repeated[] = {{2, 0x03, ACCESS_WRITE},
                                      {1, 0xff, ACCESS_READ},
                                      {2, 0x0c, ACCESS_WRITE},
                                      {9, 0xf0, ACCESS_READ},
                                      {9, 0x0f, ACCESS_READ}};
    footprint f = footprint_of(forward, COUNT(forward));
    assert_true(footprint_is_set(f));
    assert_true(footprint_of(backward, COUNT(backward)) == f);
    assert_true(footprint_of(repeated, COUNT(repeated)) == f);
}

static void different_sets_are_different_words(void **state) {
    (void)state;
    const memory_access sets[][2] = {{{1, 0xff, ACCESS_READ}, {2, 0xff, ACCESS_READ}},
                                     {{1, 0xff, ACCESS_READ}, {2, 0xff, ACCESS_WRITE}},
                                     {{1, 0xff, ACCESS_READ}, {2, 0x7f, ACCESS_READ}},
                                     {{1, 0xff, ACCESS_READ}, {3, 0xff, ACCESS_READ}}};
    for (uint32_t i = 0; i < COUNT(sets); i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_true(footprint_of(sets[i], 2) != footprint_of(sets[j], 2));
        }
    }
}

static void accesses_come_back_sorted_by_object(void **state) {
    (void)state;
    const memory_access mixed[] = {
        {5, 0x01, ACCESS_WRITE}, {2, 0xff, ACCESS_READ}, {5, 0xf0, ACCESS_READ}, {4, 1, 3}};
    footprint f = footprint_of(mixed, COUNT(mixed));
    assert_int_equal(footprint_count(f), 4);
    assert_access(footprint_access(f, 0), 2, 0xff, ACCESS_READ);
    assert_access(footprint_access(f, 1), 4, 0x01, ACCESS_READ_WRITE);
    assert_access(footprint_access(f, 2), 5, 0xf0, ACCESS_READ);
    assert_access(footprint_access(f, 3), 5, 0x01, ACCESS_WRITE);
}

/* Two ranges, the second of which lies before the first: no longer than if they were in order. */
static void large_sets_may_come_in_any_order(void **state) {
    (void)state;
    enum { HALF = 1 << 17 };
    VECTOR(memory_access) up = {0}, swapped = {0};
    for (uint32_t i = 0; i < 2 * HALF; i++) {
        vector_push(&up, (memory_access){i, 0xff, ACCESS_WRITE});
        vector_push(&swapped, (memory_access){(i + HALF) % (2 * HALF), 0xff, ACCESS_WRITE});
    }
    footprint f = footprint_of(up.items, up.count);
    assert_true(footprint_of(swapped.items, swapped.count) == f);
    assert_int_equal(footprint_count(f), 2 * HALF);
    vector_free(&up);
    vector_free(&swapped);
}

static void conflict_needs_an_object_a_byte_and_a_writer(void **state) {
    (void)state;
    footprint writes = single(1, 0x0f, ACCESS_WRITE);
    assert_true(footprint_conflict(writes, single(1, 0x08, ACCESS_READ)));
    assert_true(footprint_conflict(single(1, 0x08, ACCESS_READ), writes));
    assert_true(footprint_conflict(writes, writes));
    assert_true(footprint_conflict(single(1, 1, ACCESS_READ_WRITE), single(1, 1, ACCESS_READ)));
    assert_false(footprint_conflict(writes, single(1, 0xf0, ACCESS_WRITE)));
    assert_false(footprint_conflict(writes, single(2, 0x0f, ACCESS_WRITE)));
    assert_false(footprint_conflict(single(1, 0xff, ACCESS_READ), single(1, 0xff, ACCESS_READ)));
}

/* What is read and what is written of one object stay apart. */
static void a_set_may_read_and_write_one_object(void **state) {
    (void)state;
    const memory_access both[] = {{1, 0x0f, ACCESS_READ}, {1, 0xf0, ACCESS_WRITE}};
    footprint f = footprint_of(both, 2);
    assert_int_equal(footprint_count(f), 2);
    assert_false(footprint_conflict(f, single(1, 0x0f, ACCESS_READ)));
    assert_true(footprint_conflict(f, single(1, 0x0f, ACCESS_WRITE)));
    assert_true(footprint_conflict(f, single(1, 0xf0, ACCESS_READ)));
}

/* It is there to be seen, and orders nothing. */
static void an_access_without_bytes_has_no_conflicts(void **state) {
    (void)state;
    const memory_access pair[] = {{1, 0, ACCESS_READ_WRITE}, {2, 0xff, ACCESS_WRITE}};
    footprint f = footprint_of(pair, 2);
    assert_int_equal(footprint_count(f), 2);
    assert_false(footprint_conflict(f, single(1, 0xff, ACCESS_WRITE)));
    assert_true(footprint_conflict(f, single(2, 0xff, ACCESS_READ)));
    assert_false(footprint_conflict(single(1, 0, ACCESS_WRITE), single(1, 0xff, ACCESS_WRITE)));
}

static void bytes_select_the_bits_of_a_value(void **state) {
    (void)state;
    for (uint32_t bytes = 0; bytes <= 0xff; bytes++) {
        uint64_t expected = 0;
        for (uint32_t i = 0; i < 8; i++) {
            expected |= bytes >> i & 1 ? (uint64_t)0xff << 8 * i : 0;
        }
        assert_true(access_value_bits((uint8_t)bytes) == expected);
    }
}

/* ---- random sets against the definition ---- */

typedef struct accesses {
    memory_access items[6];
    uint32_t count;
} accesses;

static accesses random_accesses(random_source *random) {
    accesses set = {.count = random_below(random, 6)};
    for (uint32_t i = 0; i < set.count; i++) {
        vector_at(&set, i) =
            (memory_access){random_below(random, 4), (uint8_t)(1u << random_below(random, 4)),
                            (uint8_t)(1 + random_below(random, 3))};
    }
    return set;
}

static bool conflict_by_definition(const accesses *a, const accesses *b) {
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            memory_access x = vector_at(a, i), y = vector_at(b, j);
            if (x.object == y.object && x.bytes & y.bytes && (x.mode | y.mode) & ACCESS_WRITE) {
                return true;
            }
        }
    }
    return false;
}

static void random_sets_conflict_as_defined(void **state) {
    (void)state;
    random_source random = {7};
    uint32_t conflicts = 0;
    for (uint32_t round = 0; round < 20000; round++) {
        accesses a = random_accesses(&random), b = random_accesses(&random);
        footprint f = footprint_of(a.items, a.count), g = footprint_of(b.items, b.count);
        bool expected = conflict_by_definition(&a, &b);
        assert_int_equal(footprint_conflict(f, g), expected);
        assert_int_equal(footprint_conflict(g, f), expected);
        conflicts += expected;
    }
    assert_in_range(conflicts, 5000, 15000);
}

static void the_order_of_accesses_does_not_matter(void **state) {
    (void)state;
    random_source random = {8};
    for (uint32_t round = 0; round < 5000; round++) {
        accesses set = random_accesses(&random);
        footprint f = footprint_of(set.items, set.count);
        for (uint32_t i = set.count; i-- > 1;) {
            uint32_t j = random_below(&random, i + 1);
            memory_access moved = vector_at(&set, i);
            vector_at(&set, i) = vector_at(&set, j);
            vector_at(&set, j) = moved;
        }
        assert_true(footprint_of(set.items, set.count) == f);
    }
}

/* ---- the table ---- */

static footprint pair(uint32_t i) {
    const memory_access accesses[] = {{i, 0xff, ACCESS_READ}, {i + 1, 0xff, ACCESS_WRITE}};
    return footprint_of(accesses, 2);
}

static void thousands_of_sets_are_found_again(void **state) {
    (void)state;
    enum { SETS = 3000 };
    static footprint words[SETS];
    for (uint32_t i = 0; i < SETS; i++) {
        words[i] = pair(i);
    }
    size_t in_use = memory_in_use();
    for (uint32_t i = 0; i < SETS; i++) {
        assert_true(pair(i) == words[i]);
        assert_access(footprint_access(words[i], 1), i + 1, 0xff, ACCESS_WRITE);
        assert_int_equal(footprint_conflict(words[i], words[SETS / 2]),
                         i + 1 >= SETS / 2 && i <= SETS / 2 + 1);
    }
    assert_int_equal(memory_in_use(), in_use);
}

static void clearing_forgets_all_sets(void **state) {
    (void)state;
    footprint first = pair(1);
    pair(2);
    footprint_table_clear();
    assert_int_equal(memory_in_use(), 0);
    footprint again = pair(10);
    assert_int_equal((uint32_t)again, (uint32_t)first);
    assert_access(footprint_access(again, 0), 10, 0xff, ACCESS_READ);
}

static void a_set_may_meet_whatever_touches_the_same_object(void **state) {
    (void)state;
    for (uint32_t object = 0; object < 40; object++) {
        footprint single = footprint_single((memory_access){object, 0xff, ACCESS_WRITE});
        footprint set = footprint_of(
            (memory_access[]){{object, 0xff, ACCESS_READ}, {object + 100, 0, ACCESS_READ}}, 2);
        assert_true(footprint_may_meet(single, set) && footprint_may_meet(set, single));
        assert_true(footprint_may_meet(set, set));
        assert_true(footprint_conflict(single, set));
        assert_false(footprint_conflict(
            footprint_single((memory_access){object + 100, 0xff, ACCESS_WRITE}), set));
    }
}

static void an_access_without_a_mode_is_noticed(void **state) {
    (void)state;
    pid_t child = fork();
    if (!child) {
        fclose(stderr);
        footprint_of(&(memory_access){1, 0xff, 0}, 1);
        _Exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 70);
}

#define TEST(name) cmocka_unit_test_teardown(name, clear_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_access_is_packed),
        TEST(the_empty_footprint_has_no_conflicts),
        TEST(a_set_of_one_is_no_set),
        TEST(equal_sets_are_equal_words),
        TEST(different_sets_are_different_words),
        TEST(accesses_come_back_sorted_by_object),
        TEST(large_sets_may_come_in_any_order),
        TEST(conflict_needs_an_object_a_byte_and_a_writer),
        TEST(a_set_may_read_and_write_one_object),
        TEST(an_access_without_bytes_has_no_conflicts),
        TEST(bytes_select_the_bits_of_a_value),
        TEST(random_sets_conflict_as_defined),
        TEST(the_order_of_accesses_does_not_matter),
        TEST(thousands_of_sets_are_found_again),
        TEST(clearing_forgets_all_sets),
        TEST(a_set_may_meet_whatever_touches_the_same_object),
        TEST(an_access_without_a_mode_is_noticed),
    };
    return cmocka_run_group_tests_name("footprint", tests, NULL, NULL);
}
