#include "explore/names.h"

/* ---- writing ---- */

void name_writer_open(name_writer *w, target *target) {
    *w = (name_writer){.target = target};
}

void name_writer_free(name_writer *w) {
    bytes_free(&w->body);
    vector_free(&w->objects);
    vector_free(&w->places);
}

void names_put_thread(name_writer *w, uint32_t thread) {
    w->thread_count = thread >= w->thread_count ? thread + 1 : w->thread_count;
    bytes_put_number(&w->body, thread);
}

/* CHOICE_NONE, by far the most frequent, becomes 0. */
void names_put_choice(name_writer *w, uint32_t choice) {
    bytes_put_number(&w->body, (uint32_t)(choice - CHOICE_NONE));
}

static void reserve_places(name_writer *w, uint32_t object) {
    uint32_t count = w->places.count;
    if (object >= count) {
        vector_resize(&w->places, object + 1);
        for (; count <= object; count++) {
            vector_at(&w->places, count) = 0;
        }
    }
}

void names_put_object(name_writer *w, uint32_t object) {
    CHECK(object <= TARGET_MOST_OBJECTS);
    reserve_places(w, object);
    if (!vector_at(&w->places, object)) {
        vector_push(&w->objects, object);
        vector_at(&w->places, object) = w->objects.count;
    }
    CHECK(vector_at(&w->objects, vector_at(&w->places, object) - 1) == object);
    bytes_put_number(&w->body, vector_at(&w->places, object) - 1);
}

void names_put_footprint(name_writer *w, footprint f) {
    uint32_t count = footprint_count(f);
    bytes_put_number(&w->body, count);
    for (uint32_t i = 0; i < count; i++) {
        memory_access a = footprint_access(f, i);
        names_put_object(w, a.object);
        bytes_put_number(&w->body, a.bytes);
        bytes_put_number(&w->body, a.mode);
    }
}

void name_writer_finish(const name_writer *w, bytes *out) {
    const target_names *names = w->target->class->names;
    if (names) {
        names->encode_knowledge(w->target, out);
    }
    bytes_put_number(out, w->thread_count);
    bytes_put_number(out, w->objects.count);
    for (uint32_t i = 0; i < w->objects.count; i++) {
        uint32_t object = vector_at(&w->objects, i);
        if (names) {
            names->encode_object(w->target, object, out);
        } else {
            bytes_put_number(out, object);
        }
    }
    bytes_put_bytes(out, &w->body);
}

/* ---- reading ---- */

static uint32_t known_threads(target *t) {
    const target_names *names = t->class->names;
    return names ? names->thread_count(t) : t->class->thread_count(t);
}

void name_reader_open(name_reader *r, target *target, byte_reader *bytes) {
    const target_names *names = target->class->names;
    *r = (name_reader){.bytes = bytes};
    if (names) {
        names->decode_knowledge(target, bytes);
    }
    r->thread_count = (uint32_t)bytes_take_number(bytes, known_threads(target));
    uint32_t count = bytes_take_count(bytes);
    for (uint32_t i = 0; i < count && !bytes->failed; i++) {
        uint32_t object = names ? names->decode_object(target, bytes)
                                : (uint32_t)bytes_take_number(bytes, TARGET_MOST_OBJECTS);
        CHECK(object <= TARGET_MOST_OBJECTS);
        vector_push(&r->objects, object);
    }
}

void name_reader_free(name_reader *r) {
    vector_free(&r->objects);
    vector_free(&r->accesses);
}

uint32_t names_take_thread(name_reader *r) {
    uint32_t thread = (uint32_t)bytes_take_number(r->bytes, UINT32_MAX);
    r->bytes->failed = r->bytes->failed || thread >= r->thread_count;
    return r->bytes->failed ? 0 : thread;
}

uint32_t names_take_choice(name_reader *r) {
    return (uint32_t)bytes_take_number(r->bytes, UINT32_MAX) + CHOICE_NONE;
}

uint32_t names_take_object(name_reader *r) {
    uint32_t place = (uint32_t)bytes_take_number(r->bytes, UINT32_MAX);
    r->bytes->failed = r->bytes->failed || place >= r->objects.count;
    return r->bytes->failed ? 0 : vector_at(&r->objects, place);
}

footprint names_take_footprint(name_reader *r) {
    uint32_t count = bytes_take_count(r->bytes);
    vector_clear(&r->accesses);
    for (uint32_t i = 0; i < count && !r->bytes->failed; i++) {
        memory_access a = {.object = names_take_object(r)};
        a.bytes = (uint8_t)bytes_take_number(r->bytes, ACCESS_ALL_BYTES);
        a.mode = (uint8_t)bytes_take_number(r->bytes, ACCESS_SEND);
        bool possible = (a.mode && a.mode <= ACCESS_READ_WRITE) || a.mode == ACCESS_SEND;
        r->bytes->failed = r->bytes->failed || !possible;
        vector_push(&r->accesses, a);
    }
    if (r->bytes->failed || !count) {
        return FOOTPRINT_EMPTY;
    }
    CHECK(r->accesses.count == count);
    return footprint_of(r->accesses.items, r->accesses.count);
}
