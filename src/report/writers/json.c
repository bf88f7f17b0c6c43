#include "report/writers/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/check.h"

void json_open(json_writer *w) {
    *w = (json_writer){0};
    w->out = open_memstream(&w->buffer, &w->size);
    CHECK(w->out);
}

void json_close(json_writer *w, text *t) {
    CHECK(!w->depth);
    fclose(w->out);
    text_append_bytes(t, w->buffer, (uint32_t)w->size);
    free(w->buffer);
}

static void before_value(json_writer *w) {
    if (w->comma) {
        fputc(',', w->out);
    }
    w->comma = true;
}

static void begin(json_writer *w, char bracket) {
    before_value(w);
    fputc(bracket, w->out);
    w->depth++;
    w->comma = false;
}

static void end(json_writer *w, char bracket) {
    CHECK(w->depth > 0);
    fputc(bracket, w->out);
    w->depth--;
    w->comma = true;
}

void json_begin_object(json_writer *w) {
    begin(w, '{');
}

void json_end_object(json_writer *w) {
    end(w, '}');
}

void json_begin_array(json_writer *w) {
    begin(w, '[');
}

void json_end_array(json_writer *w) {
    end(w, ']');
}

/* The letter of a short escape, or 0. */
static char escape_letter(unsigned char c) {
    static const char escaped[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    const char *found = c ? strchr(escaped, c) : NULL;
    return found ? letters[found - escaped] : '\0';
}

static void write_quoted(FILE *out, const char *string) {
    const unsigned char *s = (const unsigned char *)string;
    fputc('"', out);
    while (*s) {
        uint32_t length = utf8_length(s);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (escape_letter(*s)) {
            fprintf(out, "\\%c", escape_letter(*s));
        } else if (*s < 0x20) {
            fprintf(out, "\\u%04x", *s);
        } else {
            fwrite(s, 1, length, out);
        }
        s += length;
    }
    fputc('"', out);
}

void json_key(json_writer *w, const char *key) {
    CHECK(w->depth > 0);
    before_value(w);
    write_quoted(w->out, key);
    fputc(':', w->out);
    w->comma = false;
}

void json_string(json_writer *w, const char *string) {
    before_value(w);
    if (string) {
        write_quoted(w->out, string);
    } else {
        fputs("null", w->out);
    }
}

void json_unsigned(json_writer *w, uint64_t value) {
    before_value(w);
    fprintf(w->out, "%llu", (unsigned long long)value);
}

void json_signed(json_writer *w, int64_t value) {
    before_value(w);
    fprintf(w->out, "%lld", (long long)value);
}

void json_boolean(json_writer *w, bool value) {
    before_value(w);
    fputs(value ? "true" : "false", w->out);
}

void json_real(json_writer *w, double value) {
    CHECK(isfinite(value));
    before_value(w);
    fprintf(w->out, "%.6f", value);
}
