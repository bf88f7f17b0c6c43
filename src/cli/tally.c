#include "cli/tally.h"

#include <string.h>

#include "report/error_bytes.h"

void tally_free(tally *t) {
    for (uint32_t i = 0; i < t->errors.count; i++) {
        bytes_free(&vector_at(&t->errors, i).key);
        bytes_free(&vector_at(&t->errors, i).body);
    }
    vector_free(&t->errors);
    texts_free(&t->warnings);
    texts_free(&t->notes);
    texts_free(&t->inputs);
    text_free(&t->algorithm);
    text_free(&t->cut);
    text_free(&t->growth);
    *t = (tally){0};
}

static bool same_bytes(const bytes *a, const bytes *b) {
    uint32_t count = a->content.count;
    return count == b->content.count &&
           (!count || memcmp(a->content.items, b->content.items, count) == 0);
}

static tally_error *find(tally *t, const bytes *key) {
    for (uint32_t i = 0; i < t->errors.count; i++) {
        if (same_bytes(&vector_at(&t->errors, i).key, key)) {
            return &vector_at(&t->errors, i);
        }
    }
    return NULL;
}

static void add_once(text_list *list, const char *words) {
    text clean = {0};
    text_append_clean(&clean, words);
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(text_string(&vector_at(list, i)), text_string(&clean)) == 0) {
            text_free(&clean);
            return;
        }
    }
    vector_push(list, clean);
}

void tally_warn(tally *t, const char *words, bool unseen) {
    t->unseen = t->unseen || unseen;
    add_once(&t->warnings, words);
}

void tally_note(tally *t, const char *words) {
    add_once(&t->notes, words);
}

void tally_note_input(tally *t, const char *line) {
    add_once(&t->inputs, line);
}

void tally_add(tally *to, const tally *from) {
#define ADD_COUNTER(name, always, label) to->counters.name += from->counters.name;
    COUNTERS(ADD_COUNTER)
#undef ADD_COUNTER
    if (!text_length(&to->cut)) {
        text_append(&to->cut, text_string(&from->cut));
    }
    if (!text_length(&to->growth)) {
        text_append(&to->growth, text_string(&from->growth));
    }
    if (!text_length(&to->algorithm)) {
        text_append(&to->algorithm, text_string(&from->algorithm));
    }
    for (uint32_t i = 0; i < ERROR_KIND_COUNT; i++) {
        to->ignored[i] += from->ignored[i];
    }
    to->unseen = to->unseen || from->unseen;
    to->limited = to->limited || from->limited;
    for (uint32_t i = 0; i < from->warnings.count; i++) {
        add_once(&to->warnings, text_string(&vector_at(&from->warnings, i)));
    }
    for (uint32_t i = 0; i < from->notes.count; i++) {
        add_once(&to->notes, text_string(&vector_at(&from->notes, i)));
    }
    for (uint32_t i = 0; i < from->inputs.count; i++) {
        add_once(&to->inputs, text_string(&vector_at(&from->inputs, i)));
    }
    for (uint32_t i = 0; i < from->errors.count; i++) {
        const tally_error *e = &vector_at(&from->errors, i);
        tally_error *known = find(to, &e->key), fresh = {.count = e->count};
        if (known) {
            known->count += e->count;
        } else {
            bytes_put_bytes(&fresh.key, &e->key);
            bytes_put_bytes(&fresh.body, &e->body);
            vector_push(&to->errors, fresh);
        }
    }
}

/* ---- errors ---- */

void tally_take_errors(tally *t, collector *c, target *program) {
    for (uint32_t i = 0; i < ERROR_KIND_COUNT; i++) {
        t->ignored[i] += c->ignored_counts[i];
        c->ignored_counts[i] = 0;
    }
    for (uint32_t i = 0; i < c->errors.count; i++) {
        const found_error *f = &vector_at(&c->errors, i);
        tally_error e = {.count = f->count};
        error_encode_key(f, program, &e.key);
        error_encode(f, program, &e.body);
        vector_push(&t->errors, e);
    }
    collector_forget_errors(c);
}

bool tally_give_errors(const tally *t, collector *c, target *program) {
    collector_forget_errors(c);
    for (uint32_t i = 0; i < ERROR_KIND_COUNT; i++) {
        c->ignored_counts[i] = t->ignored[i];
    }
    for (uint32_t i = 0; i < t->errors.count; i++) {
        const tally_error *e = &vector_at(&t->errors, i);
        byte_reader r = byte_reader_of(e->body.content.items, e->body.content.count);
        found_error f;
        if (!error_decode(&f, program, &r)) {
            return false;
        }
        f.count = e->count;
        vector_push(&c->errors, f);
    }
    return true;
}

/* ---- bytes ---- */

void tally_encode(const tally *t, bytes *out) {
#define PUT_COUNTER(name, always, label) bytes_put_number(out, t->counters.name);
    COUNTERS(PUT_COUNTER)
#undef PUT_COUNTER
    bytes_put_string(out, text_string(&t->algorithm));
    bytes_put_string(out, text_string(&t->cut));
    bytes_put_string(out, text_string(&t->growth));
    bytes_put_number(out, t->errors.count);
    for (uint32_t i = 0; i < t->errors.count; i++) {
        const tally_error *e = &vector_at(&t->errors, i);
        bytes_put_number(out, e->count);
        bytes_put_block(out, &e->key);
        bytes_put_block(out, &e->body);
    }
    for (uint32_t i = 0; i < ERROR_KIND_COUNT; i++) {
        bytes_put_number(out, t->ignored[i]);
    }
    bytes_put_number(out, t->unseen);
    bytes_put_number(out, t->limited);
    bytes_put_strings(out, &t->warnings);
    bytes_put_strings(out, &t->notes);
    bytes_put_strings(out, &t->inputs);
}

void tally_decode(tally *t, byte_reader *r) {
    *t = (tally){0};
#define TAKE_COUNTER(name, always, label) t->counters.name = bytes_take_number(r, UINT64_MAX);
    COUNTERS(TAKE_COUNTER)
#undef TAKE_COUNTER
    bytes_take_string(r, &t->algorithm);
    bytes_take_string(r, &t->cut);
    bytes_take_string(r, &t->growth);
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        tally_error e = {.count = bytes_take_number(r, UINT64_MAX)};
        byte_reader key = bytes_take_block(r), body = bytes_take_block(r);
        bytes_take_rest(&key, &e.key);
        bytes_take_rest(&body, &e.body);
        vector_push(&t->errors, e);
    }
    for (uint32_t i = 0; i < ERROR_KIND_COUNT; i++) {
        t->ignored[i] = bytes_take_number(r, UINT64_MAX);
    }
    t->unseen = bytes_take_flag(r);
    t->limited = bytes_take_flag(r);
    bytes_take_strings(r, &t->warnings);
    bytes_take_strings(r, &t->notes);
    bytes_take_strings(r, &t->inputs);
}
