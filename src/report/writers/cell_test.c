#include "report/writers/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/writers/paragraph.h"

static void expect_cut(const char *string, uint32_t width, const char *expected) {
    text out = {0};
    cell_cut(string, width, &out);
    assert_string_equal(text_string(&out), expected);
    text_free(&out);
}

static void expect_short(const char *string, uint32_t width, const char *expected) {
    text out = {0};
    cell_shorten(string, width, &out);
    assert_string_equal(text_string(&out), expected);
    assert_true(text_columns(text_string(&out)) <= width);
    text_free(&out);
}

static void cutting(void **state) {
    (void)state;
    expect_cut("counter", 7, "counter");
    expect_cut("counters", 7, "coun...");
    expect_cut("grün ist sie", 7, "grün...");
    expect_cut("x", 0, "...");
    expect_short("accounts[0].lock", 10, "acco..lock");
    expect_short("größerer_Name", 9, "größ..ame");
    expect_short("lock", 4, "lock");
}

/* Chinese characters take two columns, accents of their own none. */
static void widths(void **state) {
    (void)state;
    assert_int_equal(text_columns("变量 = 1"), 8);
    assert_int_equal(text_columns("e\u0301te\u0301"), 3);
    assert_int_equal(text_columns("🔒 and \xff"), 8);
    expect_cut("变量变量", 8, "变量变量");
    expect_cut("变量变量", 7, "变量...");
    expect_cut("变量变量", 6, "变...");
    expect_short("变量变量变量", 9, "变量..量");
    expect_short("e\u0301te\u0301e\u0301te\u0301", 5, "e\u0301t..e\u0301");
}

static void expect_around(const char *string, uint32_t place, uint32_t width,
                          const char *expected) {
    text out = {0};
    cell_cut_around(string, place, width, &out);
    assert_string_equal(text_string(&out), expected);
    assert_true(text_columns(text_string(&out)) <= width);
    text_free(&out);
}

/* What matters is seen, from the start of its statement. */
static void cutting_around(void **state) {
    (void)state;
    expect_around("for (i = 0; i < 2; i++) go(i);", 24, 40, "for (i = 0; i < 2; i++) go(i);");
    expect_around("for (i = 0; i < 2; i++) go(i);", 24, 20, "...i++) go(i);");
    expect_around("for (i = 0; i < 2; i++) go(i);", 5, 20, "for (i = 0; i < 2...");
    expect_around("if (ready) { value = 1; ready = 2; }", 13, 20, "...value = 1; rea...");
    expect_around("total->of_everything = 1;", 21, 20, "total->of_everyth...");
}

/* The lines of a cell, one after the other, separated by |. */
static void expect_lines(const char *string, uint32_t width, const char *expected) {
    text all = {0};
    do {
        text line = {0};
        string = cell_line(string, width, &line);
        assert_true(text_columns(text_string(&line)) <= width);
        text_format(&all, "%s%s", text_length(&all) ? "|" : "", text_string(&line));
        text_free(&line);
    } while (*string);
    assert_string_equal(text_string(&all), expected);
    text_free(&all);
}

static void lines(void **state) {
    (void)state;
    expect_lines("read counter -> 0", 20, "read counter -> 0");
    expect_lines("read counter -> 0", 12, "read counter|-> 0");
    expect_lines("write accounts[12].balance = 7", 12, "write|accou..lance|= 7");
    expect_lines("", 12, "");
}

static void expect_paragraph(const char *words, uint32_t indent, uint32_t width,
                             const char *expected) {
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);
    paragraph_hanging(words, indent, width, out);
    fclose(out);
    assert_string_equal(buffer, expected);
    free(buffer);
}

static void paragraphs(void **state) {
    (void)state;
    expect_paragraph("one two three", 2, 80, "  one two three\n");
    expect_paragraph("one two three", 2, 9, "  one two\n    three\n");
    expect_paragraph("unbreakable word", 0, 4, "unbreakable\n  word\n");
    expect_paragraph("", 2, 80, "\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cutting), cmocka_unit_test(widths),     cmocka_unit_test(cutting_around),
        cmocka_unit_test(lines),   cmocka_unit_test(paragraphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
