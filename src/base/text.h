/* A piece of text that grows, always terminated by a NUL. Reports are assembled from parts of
 * unknown length, and columns need the width of a part before it is printed. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct text {
    VECTOR(char) characters; /* without the NUL, which is always there */
} text;

void text_append(text *, const char *string);
void text_append_bytes(text *, const char *bytes, uint32_t count);
void text_format(text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_truncate(text *, uint32_t length);
void text_clear(text *);
void text_free(text *);

static inline const char *text_string(const text *t) {
    return t->characters.items ? t->characters.items : "";
}

static inline uint32_t text_length(const text *t) {
    return t->characters.count;
}

typedef VECTOR(text) text_list;

void texts_add(text_list *, const char *string);
void texts_free(text_list *);

/* Independent of the locale. */
static inline bool text_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A letter, a digit or an underscore: part of a name in C. */
static inline bool text_is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) || c == '_';
}

/* Two hexadecimal digits for each byte; none for no bytes. */
bool text_is_hexadecimal(const char *string);

/* The string begins with these characters. */
bool text_starts(const char *string, const char *beginning);

/* What follows these characters at the beginning of the string; NULL if it begins otherwise. */
const char *text_after(const char *string, const char *beginning);

/* Appends to the string in a buffer of `size` bytes; what does not fit is cut off. */
void text_add(char *buffer, size_t size, const char *string);

/* The first `length` characters are the word. */
bool text_is(const char *characters, size_t length, const char *word);

/* The first `length` characters are one of the words of the list, which are separated by blanks; a
 * word that ends with '*' matches everything that begins like it. */
bool text_is_listed(const char *characters, size_t length, const char *list);

/* The index of the word among `count` words; `count` if it is none of them. */
uint32_t text_find(const char *word, const char *const *words, uint32_t count);

/* The string begins with one of `count` words. */
bool text_starts_with_any(const char *string, const char *const *beginnings, uint32_t count);

/* The first character of a string that is not empty: its bytes, and the columns that it takes on a
 * screen, 0 to 2. Invalid UTF-8 counts byte by byte. */
uint32_t text_character(const char *string, uint32_t *columns);

/* Of the whole string. */
uint32_t text_columns(const char *string);

#endif
