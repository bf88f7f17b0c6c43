/* Writes JSON, one value after the other, with the commas in the right places. What it writes is
 * always valid: strings are escaped, and bytes that are not UTF-8 (a program's own message may hold
 * any) become U+FFFD. One line, no white space, so that one object per line is a stream. */
#ifndef HEDDLE_REPORT_WRITERS_JSON_H
#define HEDDLE_REPORT_WRITERS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

typedef struct json_writer {
    FILE *out;
    char *buffer; /* what was written, and how much */
    size_t size;
    uint32_t depth;
    bool comma; /* the next value is not the first in its object or array */
} json_writer;

/* The text gets what is written in between when the writer is closed. */
void json_open(json_writer *);
void json_close(json_writer *, text *);

void json_begin_object(json_writer *);
void json_end_object(json_writer *);
void json_begin_array(json_writer *);
void json_end_array(json_writer *);

/* The key of the next value, in an object. */
void json_key(json_writer *, const char *key);

void json_string(json_writer *, const char *string); /* NULL: null */
void json_unsigned(json_writer *, uint64_t value);
void json_signed(json_writer *, int64_t value);
void json_boolean(json_writer *, bool value);
void json_real(json_writer *, double value);

#endif
