#include "report/error_bytes.h"

#include <stdlib.h>
#include <string.h>

/* The objects of operations have the byte within the object in their upper bits (target.h). */
enum { OBJECT_BITS = 28 };

static void put_location(target *t, uint32_t location, bytes *out) {
    if (t->class->names) {
        t->class->names->encode_location(t, location, out);
    } else {
        bytes_put_number(out, location);
    }
}

static uint32_t take_location(target *t, byte_reader *r) {
    return t->class->names ? t->class->names->decode_location(t, r)
                           : (uint32_t)bytes_take_number(r, UINT32_MAX);
}

static void put_place(const blocked_place *p, target *t, bytes *out) {
    put_location(t, p->location, out);
    bytes_put_number(out, p->is_thread);
    bytes_put_number(out, p->object >> OBJECT_BITS);
    if (t->class->names && !p->is_thread) {
        t->class->names->encode_object(t, p->object & TARGET_MOST_OBJECTS, out);
    } else {
        bytes_put_number(out, p->object & TARGET_MOST_OBJECTS);
    }
}

static blocked_place take_place(target *t, byte_reader *r) {
    blocked_place p = {.location = take_location(t, r)};
    p.is_thread = bytes_take_flag(r);
    p.object = (uint32_t)bytes_take_number(r, UINT32_MAX >> OBJECT_BITS) << OBJECT_BITS;
    p.object |= t->class->names && !p.is_thread
                    ? t->class->names->decode_object(t, r)
                    : (uint32_t)bytes_take_number(r, TARGET_MOST_OBJECTS);
    return p;
}

static int compare_bytes(const void *a, const void *b) {
    const bytes *left = a, *right = b;
    uint32_t least =
        left->content.count < right->content.count ? left->content.count : right->content.count;
    int order = memcmp(left->content.items, right->content.items, least);
    return order ? order : (int)left->content.count - (int)right->content.count;
}

/* In an order that is the same in every process. */
static void put_places(const found_error *f, target *t, bytes *out) {
    VECTOR(bytes) places = {0};
    for (uint32_t i = 0; i < f->places.count; i++) {
        bytes place = {0};
        put_place(&vector_at(&f->places, i), t, &place);
        vector_push(&places, place);
    }
    if (places.count) {
        qsort(places.items, places.count, sizeof *places.items, compare_bytes);
    }
    for (uint32_t i = 0; i < places.count; i++) {
        bytes_put_block(out, &vector_at(&places, i));
        bytes_free(&vector_at(&places, i));
    }
    vector_free(&places);
}

void error_encode_key(const found_error *f, target *t, bytes *out) {
    bytes_put_number(out, f->kind);
    if (error_is_stuck(f->kind)) {
        put_places(f, t, out);
    } else if (f->kind == ERROR_DATA_RACE) {
        text race = {0};
        found_error_describe_race(f, &race);
        bytes_put_string(out, text_string(&race));
        text_free(&race);
    } else {
        put_location(t, f->location, out);
        bytes_put_string(out, text_string(&f->message));
    }
}

/* The bytes contain what the target has learnt: the steps of the error mean nothing to a process in
 * which other accesses are steps. */
void error_encode(const found_error *f, target *t, bytes *out) {
    if (t->class->names) {
        t->class->names->encode_knowledge(t, out);
    }
    bytes_put_number(out, f->kind);
    bytes_put_number(out, f->thread);
    bytes_put_number(out, f->passing);
    put_location(t, f->location, out);
    bytes_put_string(out, text_string(&f->message));
    bytes_put_number(out, f->places.count);
    for (uint32_t i = 0; i < f->places.count; i++) {
        put_place(&vector_at(&f->places, i), t, out);
    }
    bytes_put_number(out, f->steps.count);
    for (uint32_t i = 0; i < f->steps.count; i++) {
        bytes_put_number(out, vector_at(&f->steps, i).thread);
        bytes_put_number(out, (uint32_t)(vector_at(&f->steps, i).choice - CHOICE_NONE));
    }
}

bool error_decode(found_error *f, target *t, byte_reader *r) {
    if (t->class->names) {
        t->class->names->decode_knowledge(t, r);
    }
    *f = (found_error){.kind = (enum error_kind)bytes_take_number(r, ERROR_KIND_COUNT - 1),
                       .doomed = FINDING_NO_STEP};
    f->thread = (uint32_t)bytes_take_number(r, UINT32_MAX);
    f->passing = bytes_take_flag(r);
    f->location = take_location(t, r);
    bytes_take_string(r, &f->message);
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->places, take_place(t, r));
    }
    found_error_sort_places(f);
    count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t thread = (uint32_t)bytes_take_number(r, UINT32_MAX);
        uint32_t choice = (uint32_t)bytes_take_number(r, UINT32_MAX) + CHOICE_NONE;
        vector_push(&f->steps, (step){thread, choice});
    }
    if (r->failed) {
        found_error_free(f);
    }
    return !r->failed;
}
