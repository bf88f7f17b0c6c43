#include "report/writers/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct page {
    json_writer writer;
} page;

static void open_page(page *p) {
    json_open(&p->writer);
}

static void expect_page(page *p, const char *expected) {
    text written = {0};
    json_close(&p->writer, &written);
    assert_string_equal(text_string(&written), expected);
    text_free(&written);
}

static void expect_written(const char *string, const char *expected) {
    page p;
    open_page(&p);
    json_string(&p.writer, string);
    expect_page(&p, expected);
}

static void commas_stand_between_values(void **state) {
    (void)state;
    page p;
    open_page(&p);
    json_begin_object(&p.writer);
    json_key(&p.writer, "a");
    json_begin_array(&p.writer);
    json_end_array(&p.writer);
    json_key(&p.writer, "b");
    json_begin_array(&p.writer);
    json_unsigned(&p.writer, UINT64_MAX);
    json_begin_object(&p.writer);
    json_end_object(&p.writer);
    json_string(&p.writer, NULL);
    json_end_array(&p.writer);
    json_key(&p.writer, "c");
    json_real(&p.writer, 0.25);
    json_end_object(&p.writer);
    expect_page(&p, "{\"a\":[],\"b\":[18446744073709551615,{},null],\"c\":0.250000}");
}

static void special_characters_are_escaped(void **state) {
    (void)state;
    expect_written("", "\"\"");
    expect_written("a\"b\\c", "\"a\\\"b\\\\c\"");
    expect_written("\n\t\r\b\f", "\"\\n\\t\\r\\b\\f\"");
    expect_written("\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\"");
    expect_written("</script>", "\"</script>\"");
}

static void utf8_stays(void **state) {
    (void)state;
    expect_written("gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"");
    expect_written("\xe2\x82\xac \xf0\x9f\x98\x80", "\"\xe2\x82\xac \xf0\x9f\x98\x80\"");
    expect_written("\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\"");
}

static void what_is_not_utf8_is_replaced(void **state) {
    (void)state;
    expect_written(
        "a\xff"
        "b",
        "\"a\\ufffdb\"");
    expect_written("\xc3", "\"\\ufffd\"");                       /* cut off */
    expect_written("\xe2\x82", "\"\\ufffd\\ufffd\"");            /* cut off */
    expect_written("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* overlong */
    expect_written("\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\""); /* overlong */
    expect_written("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    expect_written("\xf5\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_stand_between_values),
        cmocka_unit_test(special_characters_are_escaped),
        cmocka_unit_test(utf8_stays),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
