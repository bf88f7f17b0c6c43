#include "base/bytes.h"

#include <math.h>
#include <string.h>

void bytes_free(bytes *b) {
    vector_free(&b->content);
}

uint32_t utf8_length(const unsigned char *s) {
    uint32_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] > 0xf4) {
        return 0;
    }
    for (uint32_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool excluded = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || excluded ? 0 : length;
}

/* ---- writing ---- */

void bytes_put_number(bytes *b, uint64_t number) {
    while (number >= 0x80) {
        vector_push(&b->content, (unsigned char)(number | 0x80));
        number >>= 7;
    }
    vector_push(&b->content, (unsigned char)number);
}

void bytes_put_real(bytes *b, double real) {
    uint64_t number;
    memcpy(&number, &real, sizeof number);
    bytes_put_number(b, number);
}

static void put_bytes(bytes *b, const void *start, size_t count) {
    vector_reserve(&b->content, b->content.count + (uint32_t)count);
    memcpy(b->content.items + b->content.count, start, count);
    b->content.count += (uint32_t)count;
}

void bytes_put_bytes(bytes *b, const bytes *other) {
    if (other->content.count) {
        put_bytes(b, other->content.items, other->content.count);
    }
}

void bytes_put_block(bytes *b, const bytes *other) {
    bytes_put_number(b, other->content.count);
    bytes_put_bytes(b, other);
}

static bool is_control(unsigned char c) {
    return c < 0x20 || c == 0x7f;
}

void text_append_clean(text *out, const char *string) {
    const unsigned char *s = (const unsigned char *)string;
    while (*s) {
        uint32_t length = utf8_length(s);
        if (length == 0) {
            text_append(out, "\xef\xbf\xbd");
        } else if (is_control(*s)) {
            text_append(out, " ");
        } else {
            text_append_bytes(out, (const char *)s, length);
        }
        s += length ? length : 1;
    }
}

void bytes_put_string(bytes *b, const char *string) {
    text clean = {0};
    text_append_clean(&clean, string);
    bytes_put_number(b, text_length(&clean));
    if (text_length(&clean)) {
        put_bytes(b, text_string(&clean), text_length(&clean));
    }
    text_free(&clean);
}

void bytes_put_strings(bytes *b, const text_list *list) {
    bytes_put_number(b, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        bytes_put_string(b, text_string(&vector_at(list, i)));
    }
}

/* ---- reading ---- */

byte_reader byte_reader_of(const unsigned char *start, size_t size) {
    return (byte_reader){.at = start, .end = start + size};
}

static uint64_t fail(byte_reader *r) {
    r->failed = true;
    r->at = r->end;
    return 0;
}

uint64_t bytes_take_number(byte_reader *r, uint64_t most) {
    uint64_t number = 0;
    for (uint32_t shift = 0;; shift += 7) {
        if (r->at == r->end || shift > 63) {
            return fail(r);
        }
        unsigned char part = *r->at++;
        if (shift == 63 && part > 1) {
            return fail(r);
        }
        number |= (uint64_t)(part & 0x7f) << shift;
        if (part < 0x80) {
            return number <= most ? number : fail(r);
        }
    }
}

bool bytes_take_flag(byte_reader *r) {
    return bytes_take_number(r, 1) == 1;
}

uint32_t bytes_take_count(byte_reader *r) {
    uint64_t count = bytes_take_number(r, UINT32_MAX - 1);
    return count <= (size_t)(r->end - r->at) ? (uint32_t)count : (uint32_t)fail(r);
}

double bytes_take_real(byte_reader *r) {
    uint64_t number = bytes_take_number(r, UINT64_MAX);
    double real;
    memcpy(&real, &number, sizeof real);
    if (!isfinite(real) || real < 0) {
        fail(r);
        return 0;
    }
    return real;
}

static bool is_clean(const char *string, uint32_t length) {
    const unsigned char *s = (const unsigned char *)string, *end = s + length;
    while (s < end) {
        uint32_t part = utf8_length(s);
        if (part == 0 || is_control(*s) || part > (size_t)(end - s)) {
            return false;
        }
        s += part;
    }
    return true;
}

void bytes_take_string(byte_reader *r, text *out) {
    uint32_t length = bytes_take_count(r), start = text_length(out);
    if (r->failed) {
        return;
    }
    text_append_bytes(out, (const char *)r->at, length);
    r->at += length;
    if (!is_clean(text_string(out) + start, length)) {
        text_truncate(out, start);
        fail(r);
    }
}

void bytes_take_texts(byte_reader *r, void (*take)(byte_reader *, text *), text_list *out) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        text taken = {0};
        take(r, &taken);
        vector_push(out, taken);
    }
}

void bytes_take_strings(byte_reader *r, text_list *out) {
    bytes_take_texts(r, bytes_take_string, out);
}

byte_reader bytes_take_block(byte_reader *r) {
    uint32_t size = bytes_take_count(r);
    byte_reader block = byte_reader_of(r->at, size);
    block.failed = r->failed;
    r->at += size;
    return block;
}

void bytes_take_rest(byte_reader *r, bytes *out) {
    size_t size = (size_t)(r->end - r->at);
    if (size) {
        put_bytes(out, r->at, size);
    }
    r->at = r->end;
}

bool bytes_finished(const byte_reader *r) {
    return !r->failed && r->at == r->end;
}

/* ---- checksums ---- */

uint64_t bytes_checksum(const void *start, size_t size) {
    const unsigned char *at = start;
    uint64_t hash = 0xcbf29ce484222325u ^ size;
    for (; size >= sizeof hash; at += sizeof hash, size -= sizeof hash) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (; size; size--) {
        hash = (hash ^ *at++) * 0x100000001b3u;
    }
    return hash ^ hash >> 29;
}
