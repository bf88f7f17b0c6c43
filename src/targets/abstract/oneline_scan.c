/* Characters and operands of one-line programs, and the errors in them. */
#include <string.h>

#include "base/text.h"
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

static void advance(parser *p) {
    parse_advance(&p->next, &p->line, &p->column);
}

void oneline_skip_space(parser *p) {
    while (oneline_is_space(*p->next)) {
        advance(p);
    }
}

bool oneline_accept(parser *p, char c) {
    if (*p->next != c) {
        return false;
    }
    advance(p);
    return true;
}

bool oneline_parse_digits(parser *p, bool negative, int64_t *value) {
    uint32_t line = p->line, column = p->column;
    if (!text_is_digit(*p->next)) {
        return oneline_fail_expected(p, "a number");
    }
    *value = 0;
    while (text_is_digit(*p->next)) {
        int64_t digit = *p->next - '0';
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, negative ? -digit : digit, value)) {
            return oneline_fail_at(p, line, column, "expected a number of 64 bits");
        }
        advance(p);
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
    advance(p);
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

/* --- memory orders --------------------------------------------------------------------------- */

bool oneline_accept_word(parser *p, const char *word) {
    if (!text_starts(p->next, word)) {
        return false;
    }
    for (size_t i = strlen(word); i > 0; i--) {
        advance(p);
    }
    return true;
}

static bool parse_order_word(parser *p, uint8_t *order) {
    static const char *const words[] = {[ORDER_SEQ_CST] = "sc",
                                        [ORDER_RELAXED] = "rlx",
                                        [ORDER_ACQUIRE] = "acq",
                                        [ORDER_RELEASE] = "rel",
                                        [ORDER_ACQ_REL] = "ar"};
    for (uint8_t i = 0; i < ACCESS_ORDER_COUNT; i++) {
        if (oneline_accept_word(p, words[i])) {
            *order = i;
            return true;
        }
    }
    return oneline_fail_expected(p, "a memory order (rlx, acq, rel, ar or sc)");
}

bool oneline_parse_order(parser *p, instruction *i) {
    uint32_t line = p->line, column = p->column;
    if (!oneline_accept(p, ':')) {
        return true;
    }
    if (p->in_section) {
        return oneline_fail_at(p, line, column, "expected no memory order in an atomic section");
    }
    if (!parse_order_word(p, &i->order)) {
        return false;
    }
    bool compares = i->kind == INSTRUCTION_CAS;
    i->failure = (uint8_t)access_order_failing(i->order);
    if (compares && oneline_accept(p, '.') && !parse_order_word(p, &i->failure)) {
        return false;
    }
    const char *why = program_order_error(i);
    return !why || oneline_fail_at(p, line, column, "%s", why);
}
