/* A piece of text that grows, always terminated by a NUL. Reports are put together from parts of
 * unknown length, and their columns need the width of a part before it is printed. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct text {
    VECTOR(char) characters; /* the NUL not counted, but there */
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

/* Two hexadecimal digits for each byte; none for no bytes. */
bool text_is_hexadecimal(const char *string);

/* Characters on a screen: UTF-8 continuation bytes take no room. */
uint32_t text_columns(const char *string);

#endif
