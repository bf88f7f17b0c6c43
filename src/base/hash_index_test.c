#include "base/hash_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef VECTOR(uint64_t) word_list;

typedef struct question {
    const word_list *words;
    uint64_t wanted;
} question;

static bool is_word(const void *context, uint32_t number) {
    const question *q = context;
    return vector_at(q->words, number) == q->wanted;
}

static uint32_t find(const hash_index *t, const word_list *words, uint64_t word, uint32_t hash) {
    return hash_index_find(t, hash, is_word, &(question){words, word});
}

static void an_empty_table_finds_nothing(void **state) {
    (void)state;
    hash_index t = {0};
    word_list words = {0};
    assert_int_equal(find(&t, &words, 1, 1), HASH_INDEX_NONE);
    hash_index_clear(&t);
    hash_index_free(&t);
    assert_int_equal(memory_in_use(), 0);
}

/* `differ` says of how many bits the hash is. */
static void check_many(uint32_t differ) {
    hash_index t = {0};
    word_list words = {0};
    for (uint32_t i = 0; i < 500; i++) {
        uint32_t hash = hash_index_fold(hash_index_mix(HASH_INDEX_SEED, i)) & differ;
        assert_int_equal(find(&t, &words, i, hash), HASH_INDEX_NONE);
        vector_push(&words, i);
        hash_index_add(&t, hash, i);
        assert_true(2 * t.count <= t.slots.count);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t hash = hash_index_fold(hash_index_mix(HASH_INDEX_SEED, i)) & differ;
        assert_int_equal(find(&t, &words, i, hash), i < 500 ? i : HASH_INDEX_NONE);
    }
    hash_index_clear(&t);
    assert_int_equal(
        find(&t, &words, 7, hash_index_fold(hash_index_mix(HASH_INDEX_SEED, 7)) & differ),
        HASH_INDEX_NONE);
    vector_free(&words);
    hash_index_free(&t);
    assert_int_equal(memory_in_use(), 0);
}

static void finds_what_was_added(void **state) {
    (void)state;
    check_many(UINT32_MAX);
}

static void equal_hashes_are_told_apart_by_the_caller(void **state) {
    (void)state;
    check_many(0);
    check_many(3);
    check_many(0x80000000u);
}

/* A run of slots in use continues at the start of the table. */
static void goes_round_its_end(void **state) {
    (void)state;
    hash_index t = {0};
    word_list words = {0};
    for (uint32_t i = 0; i < 20; i++) {
        vector_push(&words, i);
        hash_index_add(&t, UINT32_MAX - i % 2, i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(find(&t, &words, i, UINT32_MAX - i % 2), i);
        assert_int_equal(find(&t, &words, i, UINT32_MAX - (i + 1) % 2), HASH_INDEX_NONE);
    }
    vector_free(&words);
    hash_index_free(&t);
}

static void the_order_of_words_matters(void **state) {
    (void)state;
    uint64_t one = hash_index_mix(hash_index_mix(HASH_INDEX_SEED, 1), 2);
    uint64_t other = hash_index_mix(hash_index_mix(HASH_INDEX_SEED, 2), 1);
    assert_int_not_equal(hash_index_fold(one), hash_index_fold(other));
    assert_int_not_equal(hash_index_mix(HASH_INDEX_SEED, 0),
                         hash_index_mix(hash_index_mix(HASH_INDEX_SEED, 0), 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_finds_nothing),
        cmocka_unit_test(finds_what_was_added),
        cmocka_unit_test(equal_hashes_are_told_apart_by_the_caller),
        cmocka_unit_test(goes_round_its_end),
        cmocka_unit_test(the_order_of_words_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
