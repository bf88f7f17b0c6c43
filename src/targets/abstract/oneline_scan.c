/* Characters and operands of one-line programs, and the errors in them. */
#include <string.h>

#include "targets/abstract/oneline_parser.h"

static const char variables[] = ONELINE_VARIABLES;

bool oneline_fail_at(parser *p, uint32_t line, uint32_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    parse_error_set(p->error, line, column, format, arguments);
    va_end(arguments);
    return false;
}

bool oneline_fail_expected(parser *p, const char *expected) {
    unsigned char found = (unsigned char)*p->next;
    if (found == 0) {
        return oneline_fail_at(p, p->line, p->column, "expected %s, found the end of the program",
                               expected);
    }
    if (found == '\n') {
        return oneline_fail_at(p, p->line, p->column, "expected %s, found the end of the line",
                               expected);
    }
    if (found < ' ' || found > '~') {
        return oneline_fail_at(p, p->line, p->column, "expected %s, found byte 0x%02x", expected,
                               found);
    }
    return oneline_fail_at(p, p->line, p->column, "expected %s, found '%c'", expected, found);
}

void oneline_advance(parser *p) {
    CHECK(*p->next != 0);
    p->column++;
    if (*p->next++ == '\n') {
        p->line++;
        p->column = 1;
    }
}

void oneline_skip_space(parser *p) {
    while (oneline_is_space(*p->next)) {
        oneline_advance(p);
    }
}

bool oneline_accept(parser *p, char c) {
    if (*p->next != c) {
        return false;
    }
    oneline_advance(p);
    return true;
}

bool oneline_parse_digits(parser *p, bool negative, int64_t *value) {
    uint32_t line = p->line, column = p->column;
    if (!oneline_is_digit(*p->next)) {
        return oneline_fail_expected(p, "a number");
    }
    *value = 0;
    while (oneline_is_digit(*p->next)) {
        int64_t digit = *p->next - '0';
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, negative ? -digit : digit, value)) {
            return oneline_fail_at(p, line, column, "expected a number of 64 bits");
        }
        oneline_advance(p);
    }
    return true;
}

bool oneline_parse_value(parser *p, int64_t *value) {
    bool negative = oneline_accept(p, '-');
    return oneline_parse_digits(p, negative, value);
}

bool oneline_parse_number(parser *p, uint32_t limit, uint32_t *number) {
    uint32_t line = p->line, column = p->column;
    int64_t value = 0;
    if (!oneline_parse_digits(p, false, &value)) {
        return false;
    }
    if (value >= limit) {
        return oneline_fail_at(p, line, column, "expected a number below %u, found %lld", limit,
                               (long long)value);
    }
    *number = (uint32_t)value;
    return true;
}

static place symbol_place(parser *p, uint32_t symbol) {
    p->used[symbol] = true;
    return (place){.first = symbol, .count = 1, .index = EXPRESSION_NONE};
}

bool oneline_parse_variable(parser *p, place *where) {
    const char *found = *p->next ? strchr(variables, *p->next) : NULL;
    if (!found) {
        return oneline_fail_expected(p, "a variable (x, y, z, u, v or w, plain in capitals)");
    }
    oneline_advance(p);
    *where = symbol_place(p, (uint32_t)(found - variables));
    return true;
}

bool oneline_parse_numbered(parser *p, uint32_t first, uint32_t limit, place *where) {
    uint32_t number = 0;
    if (!oneline_parse_number(p, limit, &number)) {
        return false;
    }
    *where = symbol_place(p, first + number);
    return true;
}
