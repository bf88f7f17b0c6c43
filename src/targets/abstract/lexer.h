/* The words of the notation of *.heddle files: a text becomes a list of tokens, all at once,
 * because the body of a replicated thread is compiled once per copy, each time from its first
 * token. Tokens point into the text, which must outlive them. */
#ifndef HEDDLE_TARGETS_ABSTRACT_LEXER_H
#define HEDDLE_TARGETS_ABSTRACT_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "targets/abstract/parse_error.h"

/* Reserved words. */
#define KEYWORD_TOKENS(X)             \
    X(TOKEN_PARAM, "param")           \
    X(TOKEN_SHARED, "shared")         \
    X(TOKEN_MUTEX, "mutex")           \
    X(TOKEN_CONDITION, "condition")   \
    X(TOKEN_THREAD, "thread")         \
    X(TOKEN_SPAWNED, "spawned")       \
    X(TOKEN_IN, "in")                 \
    X(TOKEN_LOCAL, "local")           \
    X(TOKEN_IF, "if")                 \
    X(TOKEN_ELSE, "else")             \
    X(TOKEN_WHILE, "while")           \
    X(TOKEN_FOR, "for")               \
    X(TOKEN_BREAK, "break")           \
    X(TOKEN_CONTINUE, "continue")     \
    X(TOKEN_SKIP, "skip")             \
    X(TOKEN_ATOMIC, "atomic")         \
    X(TOKEN_ASSUME, "assume")         \
    X(TOKEN_ASSERT, "assert")         \
    X(TOKEN_AWAIT, "await")           \
    X(TOKEN_LOCK, "lock")             \
    X(TOKEN_UNLOCK, "unlock")         \
    X(TOKEN_TRYLOCK, "trylock")       \
    X(TOKEN_WAIT, "wait")             \
    X(TOKEN_TIMED_WAIT, "timed_wait") \
    X(TOKEN_SIGNAL, "signal")         \
    X(TOKEN_BROADCAST, "broadcast")   \
    X(TOKEN_SPAWN, "spawn")           \
    X(TOKEN_JOIN, "join")             \
    X(TOKEN_FETCH_ADD, "fetch_add")   \
    X(TOKEN_EXCHANGE, "exchange")     \
    X(TOKEN_CAS, "cas")               \
    X(TOKEN_CHOOSE, "choose")

/* A longer one comes before those that it begins with. */
#define PUNCTUATION_TOKENS(X)       \
    X(TOKEN_RANGE, "..")            \
    X(TOKEN_EQUAL, "==")            \
    X(TOKEN_NOT_EQUAL, "!=")        \
    X(TOKEN_LESS_EQUAL, "<=")       \
    X(TOKEN_GREATER_EQUAL, ">=")    \
    X(TOKEN_AND, "&&")              \
    X(TOKEN_OR, "||")               \
    X(TOKEN_ADD_ASSIGN, "+=")       \
    X(TOKEN_SUBTRACT_ASSIGN, "-=")  \
    X(TOKEN_INCREMENT, "++")        \
    X(TOKEN_DECREMENT, "--")        \
    X(TOKEN_ASSIGN, "=")            \
    X(TOKEN_PLUS, "+")              \
    X(TOKEN_MINUS, "-")             \
    X(TOKEN_STAR, "*")              \
    X(TOKEN_SLASH, "/")             \
    X(TOKEN_PERCENT, "%")           \
    X(TOKEN_LESS, "<")              \
    X(TOKEN_GREATER, ">")           \
    X(TOKEN_NOT, "!")               \
    X(TOKEN_LEFT_PARENTHESIS, "(")  \
    X(TOKEN_RIGHT_PARENTHESIS, ")") \
    X(TOKEN_LEFT_BRACKET, "[")      \
    X(TOKEN_RIGHT_BRACKET, "]")     \
    X(TOKEN_LEFT_BRACE, "{")        \
    X(TOKEN_RIGHT_BRACE, "}")       \
    X(TOKEN_COMMA, ",")             \
    X(TOKEN_SEMICOLON, ";")

#define TOKEN_ENUM(kind, text) kind,
enum token_kind {
    TOKEN_END, /* of the text; always the last token */
    TOKEN_NUMBER,
    TOKEN_NAME,
    KEYWORD_TOKENS(TOKEN_ENUM) PUNCTUATION_TOKENS(TOKEN_ENUM) TOKEN_KIND_COUNT
};
#undef TOKEN_ENUM

typedef struct token {
    enum token_kind kind;
    uint32_t line, column;
    uint32_t length;
    const char *text;
    int64_t value; /* of a number */
} token;

typedef VECTOR(token) token_list;

/* It is that name, which need not be a reserved word. */
bool token_is_word(const token *, const char *word);

/* Appends the tokens of the text; false, with the error, at the first that is none. The list is
 * the caller's to release in both cases. */
bool lexer_run(token_list *, const char *text, parse_error *);

/* A keyword or punctuation as it is written. */
const char *token_word(enum token_kind);

#endif
