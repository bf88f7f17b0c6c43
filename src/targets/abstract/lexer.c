#include "targets/abstract/lexer.h"

#include <string.h>

#include "base/text.h"

typedef struct lexer {
    const char *next;
    uint32_t line, column;
    token_list *tokens;
    parse_error *error;
} lexer;

typedef struct token_spelling {
    enum token_kind kind;
    const char *text;
} token_spelling;

#define TOKEN_SPELLING(kind, text) {kind, text},
static const token_spelling keywords[] = {KEYWORD_TOKENS(TOKEN_SPELLING)};
static const token_spelling punctuation[] = {PUNCTUATION_TOKENS(TOKEN_SPELLING)};
#undef TOKEN_SPELLING

#define KEYWORD_COUNT     (sizeof keywords / sizeof *keywords)
#define PUNCTUATION_COUNT (sizeof punctuation / sizeof *punctuation)

const char *token_word(enum token_kind kind) {
    CHECK(kind > TOKEN_NAME && kind < TOKEN_KIND_COUNT);
    uint32_t index = kind - TOKEN_NAME - 1;
    return index < KEYWORD_COUNT ? keywords[index].text : punctuation[index - KEYWORD_COUNT].text;
}

__attribute__((format(printf, 2, 3))) static bool fail_here(lexer *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    parse_error_set(l->error, l->line, l->column, format, arguments);
    va_end(arguments);
    return false;
}

static void advance(lexer *l) {
    parse_advance(&l->next, &l->line, &l->column);
}

static bool starts_with(const lexer *l, const char *text) {
    return text_starts(l->next, text);
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool skip_block_comment(lexer *l) {
    lexer start = *l;
    advance(l);
    advance(l);
    while (!starts_with(l, "*/")) {
        if (*l->next == 0) {
            return fail_here(&start, "expected '*/' at the end of this comment");
        }
        advance(l);
    }
    advance(l);
    advance(l);
    return true;
}

static bool skip_blank(lexer *l) {
    for (;;) {
        if (starts_with(l, "//")) {
            while (*l->next && *l->next != '\n') {
                advance(l);
            }
        } else if (starts_with(l, "/*")) {
            if (!skip_block_comment(l)) {
                return false;
            }
        } else if (*l->next && strchr(" \t\r\n", *l->next)) {
            advance(l);
        } else {
            return true;
        }
    }
}

static void push(lexer *l, const lexer *start, enum token_kind kind, int64_t value) {
    vector_push(l->tokens, (token){.kind = kind,
                                   .line = start->line,
                                   .column = start->column,
                                   .length = (uint32_t)(l->next - start->next),
                                   .text = start->next,
                                   .value = value});
}

static bool read_number(lexer *l) {
    lexer start = *l;
    int64_t value = 0;
    while (text_is_digit(*l->next)) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *l->next - '0', &value)) {
            return fail_here(&start, "expected a number of 64 bits");
        }
        advance(l);
    }
    if (is_name_start(*l->next)) {
        return fail_here(l, "expected a number or a name, found a mixture of the two");
    }
    push(l, &start, TOKEN_NUMBER, value);
    return true;
}

static void read_name(lexer *l) {
    lexer start = *l;
    while (is_name_start(*l->next) || text_is_digit(*l->next)) {
        advance(l);
    }
    size_t length = (size_t)(l->next - start.next);
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if (text_is(start.next, length, keywords[i].text)) {
            push(l, &start, keywords[i].kind, 0);
            return;
        }
    }
    push(l, &start, TOKEN_NAME, 0);
}

static bool read_punctuation(lexer *l) {
    lexer start = *l;
    for (size_t i = 0; i < PUNCTUATION_COUNT; i++) {
        if (starts_with(l, punctuation[i].text)) {
            for (size_t length = strlen(punctuation[i].text); length > 0; length--) {
                advance(l);
            }
            push(l, &start, punctuation[i].kind, 0);
            return true;
        }
    }
    unsigned char found = (unsigned char)*l->next;
    if (found < ' ' || found > '~') {
        return fail_here(l, "expected a word or a sign, found byte 0x%02x", found);
    }
    return fail_here(l, "expected a word or a sign, found '%c'", found);
}

static bool read_token(lexer *l) {
    if (text_is_digit(*l->next)) {
        return read_number(l);
    }
    if (is_name_start(*l->next)) {
        read_name(l);
        return true;
    }
    return read_punctuation(l);
}

bool lexer_run(token_list *tokens, const char *text, parse_error *error) {
    lexer l = {.next = text, .line = 1, .column = 1, .tokens = tokens, .error = error};
    for (;;) {
        if (!skip_blank(&l)) {
            return false;
        }
        if (*l.next == 0) {
            push(&l, &l, TOKEN_END, 0);
            return true;
        }
        if (!read_token(&l)) {
            return false;
        }
    }
}

bool token_is_word(const token *t, const char *word) {
    return t->kind == TOKEN_NAME && text_is(t->text, t->length, word);
}
