#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static void so_many_characters_are_a_word(void **state) {
    (void)state;
    assert_true(text_is("lock(m)", 4, "lock"));
    assert_false(text_is("lock(m)", 3, "lock"));
    assert_false(text_is("lock(m)", 5, "lock"));
    assert_false(text_is("look(m)", 4, "lock"));
    assert_true(text_is("", 0, ""));
}

static void lists_have_words_and_beginnings(void **state) {
    (void)state;
    assert_true(text_is_listed("mov", 3, "cmp mov add"));
    assert_true(text_is_listed("movl %eax", 3, "cmp mov add"));
    assert_false(text_is_listed("mo", 2, "cmp mov add"));
    assert_false(text_is_listed("movl", 4, "cmp mov add"));
    assert_true(text_is_listed("movl", 4, "cmp mov* add"));
    assert_true(text_is_listed("mov", 3, "cmp mov*"));
    assert_false(text_is_listed("mo", 2, "cmp mov*"));
    assert_false(text_is_listed("mov add", 7, "mov add"));
    assert_false(text_is_listed("", 0, "mov add"));
    assert_false(text_is_listed("mov", 3, ""));
}

static void words_are_found_by_their_place(void **state) {
    (void)state;
    static const char *const words[] = {"read", "write"};
    assert_int_equal(text_find("write", words, 2), 1);
    assert_int_equal(text_find("writes", words, 2), 2);
    assert_true(text_starts("writes", "write"));
    assert_false(text_starts("writ", "write"));
    assert_true(text_starts_with_any("reads", words, 2));
    assert_false(text_starts_with_any("rea", words, 2));
}

static void values_follow_their_names(void **state) {
    (void)state;
    assert_string_equal(text_after("--kind=locks", "--kind="), "locks");
    assert_null(text_after("--kinds=rw", "--kind="));
}

static void buffers_take_what_fits(void **state) {
    (void)state;
    char buffer[8] = "abc";
    text_add(buffer, sizeof buffer, "de");
    assert_string_equal(buffer, "abcde");
    text_add(buffer, sizeof buffer, "fghi");
    assert_string_equal(buffer, "abcdefg");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_characters_are_a_word),
        cmocka_unit_test(lists_have_words_and_beginnings),
        cmocka_unit_test(words_are_found_by_their_place),
        cmocka_unit_test(values_follow_their_names),
        cmocka_unit_test(buffers_take_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
