#include "cli/checkpoint.h"

#include <string.h>

#include "base/version.h"
#include "cli/file.h"

/* ---- life ---- */

void checkpoint_free(checkpoint *c) {
    for (uint32_t i = 0; i < c->stretches.count; i++) {
        stretch_free(vector_at(&c->stretches, i));
    }
    vector_free(&c->stretches);
    texts_free(&c->words);
    texts_free(&c->arguments);
    text_free(&c->directory);
    *c = (checkpoint){0};
}

void checkpoint_begin(checkpoint *c, const settings *s) {
    *c = (checkpoint){.heddle = file_hash("/proc/self/exe")};
    text_append(&c->directory, s->directory ? s->directory : "");
    for (uint32_t i = 0; i < s->words.count; i++) {
        texts_add(&c->words, vector_at(&s->words, i));
    }
    for (uint32_t i = 0; i < s->arguments.count; i++) {
        texts_add(&c->arguments, vector_at(&s->arguments, i));
    }
}

void checkpoint_take_over(checkpoint *c, checkpoint *other) {
    c->stretches = other->stretches;
    c->seconds = other->seconds;
    c->resumed = true;
    c->part = other->part;
    c->parts = other->parts;
    c->split = other->split;
    c->restarted = other->restarted;
    other->stretches = (stretch_list){0};
}

bool checkpoint_is_finished(const checkpoint *c) {
    return stretches_are_over(&c->stretches);
}

/* ---- to bytes ---- */

enum { CHECKSUM_BYTES = 8 };

static void add_checksum(file_draft *d) {
    uint64_t sum = file_draft_checksum(d);
    for (uint32_t i = 0; i < CHECKSUM_BYTES; i++) {
        file_draft_add(d, &(unsigned char){(unsigned char)(sum >> 8 * i)}, 1);
    }
}

static void put_beginning(const checkpoint *c, uint32_t stretches, bytes *out) {
    for (const char *at = CHECKPOINT_BEGINNING; *at; at++) {
        vector_push(&out->content, (unsigned char)*at);
    }
    text_put_raw(out, HEDDLE_VERSION);
    bytes_put_number(out, c->heddle);
    bytes_put_number(out, c->program);
    text_put_raw(out, text_string(&c->directory));
    texts_put(out, &c->words);
    texts_put(out, &c->arguments);
    bytes_put_real(out, c->seconds);
    bytes_put_number(out, c->parts);
    bytes_put_number(out, c->part);
    bytes_put_number(out, c->split);
    bytes_put_number(out, c->fresh);
    bytes_put_number(out, c->restarted);
    bytes_put_number(out, stretches);
}

/* Stretch by stretch: all of them together may not fit into memory. */
bool checkpoint_write(const checkpoint *c, const stretch_list *stretches, const char *path,
                      text *message) {
    bytes out = {0};
    file_draft draft;
    bool good = true;
    file_draft_open(&draft, path);
    put_beginning(c, stretches->count, &out);
    for (uint32_t i = 0; i < stretches->count && good; i++) {
        file_draft_add(&draft, out.content.items, out.content.count);
        vector_clear(&out.content);
        good = stretch_encode(vector_at(stretches, i), &out);
    }
    file_draft_add(&draft, out.content.items, out.content.count);
    add_checksum(&draft);
    bytes_free(&out);
    if (!good) {
        text_format(message, "cannot write %s: %s", path, store_complaint());
    }
    return file_draft_close(&draft, good, message) && good;
}

/* ---- from bytes ---- */

static void take_contents(checkpoint *c, byte_reader *r) {
    text_take_raw(r, &c->directory);
    texts_take(r, &c->words);
    texts_take(r, &c->arguments);
    c->seconds = bytes_take_real(r);
    c->parts = (uint32_t)bytes_take_number(r, UINT32_MAX);
    c->part = (uint32_t)bytes_take_number(r, c->parts);
    c->split = bytes_take_number(r, UINT64_MAX);
    c->fresh = bytes_take_flag(r);
    c->restarted = bytes_take_flag(r);
    uint32_t count = bytes_take_count(r);
    r->failed = r->failed || (!count && !c->parts) || (c->parts && !c->part);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        stretch_decode(stretch_add(&c->stretches, i), r);
    }
    /* The whole program is explored alone, or not at all. */
    for (uint32_t i = 0; i < c->stretches.count; i++) {
        r->failed = r->failed || (vector_at(&c->stretches, i)->whole && count > 1);
    }
}

static bool is_whole(const file_view *file) {
    size_t size = file->size;
    uint64_t sum = 0;
    if (size < CHECKSUM_BYTES) {
        return false;
    }
    size -= CHECKSUM_BYTES;
    for (uint32_t i = 0; i < CHECKSUM_BYTES; i++) {
        sum |= (uint64_t)file->start[size + i] << 8 * i;
    }
    return sum == bytes_checksum(file->start, size);
}

/* The heddle that wrote it. */
static bool take_writer(checkpoint *c, byte_reader *r, const char *path, text *message) {
    text version = {0};
    text_take_raw(r, &version);
    c->heddle = bytes_take_number(r, UINT64_MAX);
    c->program = bytes_take_number(r, UINT64_MAX);
    bool same = !r->failed && c->heddle == file_hash("/proc/self/exe");
    if (!same && strcmp(text_string(&version), HEDDLE_VERSION) != 0) {
        text_format(message, "%s was written by heddle %s, and this is heddle %s", path,
                    text_string(&version), HEDDLE_VERSION);
    } else if (!same) {
        text_format(
            message,
            "%s was written by another build of heddle %s, and only that build can continue it",
            path, HEDDLE_VERSION);
    }
    text_free(&version);
    return same;
}

static bool decode(checkpoint *c, const file_view *file, const char *path, text *message) {
    size_t start = strlen(CHECKPOINT_BEGINNING), least = start < file->size ? start : file->size;
    if (memcmp(file->start, CHECKPOINT_BEGINNING, least) != 0) {
        text_format(message, "%s is not a checkpoint that this heddle can read", path);
        return false;
    }
    if (least < start || !is_whole(file)) {
        text_format(message, "%s is damaged: its checksum is wrong, or its end is missing", path);
        return false;
    }
    byte_reader r = byte_reader_of(file->start + start, file->size - start - CHECKSUM_BYTES);
    if (!take_writer(c, &r, path, message)) {
        return false;
    }
    take_contents(c, &r);
    if (!bytes_finished(&r)) {
        text_format(message, "%s is damaged: its contents are invalid", path);
    }
    return bytes_finished(&r);
}

bool checkpoint_read(checkpoint *c, const char *path, text *message) {
    file_view file;
    *c = (checkpoint){0};
    if (!file_map(&file, path, message)) {
        return false;
    }
    bool good = decode(c, &file, path, message);
    if (!good) {
        checkpoint_free(c);
    }
    file_unmap(&file);
    return good;
}
