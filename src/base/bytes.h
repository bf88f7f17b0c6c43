/* Values as bytes, for messages between processes and for files: numbers in as few bytes as they
 * need (seven bits each, the lowest first), strings with their length before them.
 *
 * A reader trusts nothing. Anything that does not fit (a number above its bound, a string that is
 * cut off, contains control characters or is not UTF-8) makes it fail, and from then on it returns
 * zeroes and empty strings; the caller checks once, at the end. */
#ifndef HEDDLE_BASE_BYTES_H
#define HEDDLE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

typedef struct bytes {
    VECTOR(unsigned char) content;
} bytes;

void bytes_free(bytes *);

void bytes_put_number(bytes *, uint64_t number);
void bytes_put_real(bytes *, double real);
void bytes_put_bytes(bytes *, const bytes *);
/* Preceded by their number. */
void bytes_put_block(bytes *, const bytes *);

/* Appends a string up to its NUL. What is not UTF-8 becomes U+FFFD, a control character a blank. */
void text_append_clean(text *, const char *string);

/* Cleaned in the same way. */
void bytes_put_string(bytes *, const char *string);
void bytes_put_strings(bytes *, const text_list *);

typedef struct byte_reader {
    const unsigned char *at, *end;
    bool failed;
} byte_reader;

byte_reader byte_reader_of(const unsigned char *start, size_t size);

/* A number of at most `most`. */
uint64_t bytes_take_number(byte_reader *, uint64_t most);
bool bytes_take_flag(byte_reader *);

/* The number of items that follow, each of at least one byte: bounded by what is left. */
uint32_t bytes_take_count(byte_reader *);

/* Finite and not negative. */
double bytes_take_real(byte_reader *);

/* Appends it. */
void bytes_take_string(byte_reader *, text *out);
void bytes_take_strings(byte_reader *, text_list *out);
/* A list whose elements `take` reads. */
void bytes_take_texts(byte_reader *, void (*take)(byte_reader *, text *), text_list *out);

/* A block, without copying it. */
byte_reader bytes_take_block(byte_reader *);

/* Appends all that is left. */
void bytes_take_rest(byte_reader *, bytes *out);

/* Everything was read, and nothing failed. */
bool bytes_finished(const byte_reader *);

/* A hash of these bytes that notices changes made by accident (word by word, in the manner of FNV).
 */
uint64_t bytes_checksum(const void *start, size_t size);

/* Length of the UTF-8 sequence at `s`, which ends with a NUL or later; 0 if it is none. RFC 3629:
 * no surrogates, no overlong forms. */
uint32_t utf8_length(const unsigned char *s);

#endif
