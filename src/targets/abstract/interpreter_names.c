/* What abstract programs are called in bytes that leave the process: numbers of threads, cells and
 * locations are the program's. What is learnt as it runs is which plain accesses race. */
#include <string.h>

#include "base/bytes.h"
#include "targets/abstract/interpreter_state.h"

static uint32_t count_threads(target *t) {
    return t->class->thread_count(t);
}

/* A set, as the numbers that are in it. */
static void put_set(const bool *set, uint32_t size, bytes *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < size; i++) {
        count += set[i];
    }
    bytes_put_number(out, count);
    for (uint32_t i = 0; i < size; i++) {
        if (set[i]) {
            bytes_put_number(out, i);
        }
    }
}

/* Adds to the set what may be in it (NULL: anything); whether there was anything. */
static bool take_set(bool *set, const bool *possible, uint32_t size, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t number = (uint32_t)bytes_take_number(r, size - 1);
        r->failed = r->failed || (possible && !possible[number]);
        set[number] |= !r->failed;
    }
    return count && !r->failed;
}

static void put_void_reads(const interpreter *m, bytes *out) {
    put_set(m->awaited, m->program->cells.count + 1, out);
    bytes_put_number(out, m->spin_once);
    bytes_put_number(out, m->void_reads.count);
    for (uint32_t i = 0; i < m->void_reads.count; i++) {
        spin_read read = vector_at(&m->void_reads, i);
        bytes_put_number(out, read.thread);
        bytes_put_number(out, read.cell);
        bytes_put_number(out, read.mutex);
    }
}

static void take_void_reads(interpreter *m, byte_reader *r) {
    uint32_t cells = m->program->cells.count;
    take_set(m->awaited, NULL, cells + 1, r);
    m->spin_once |= bytes_take_flag(r);
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        spin_read read = {0};
        read.thread = (uint32_t)bytes_take_number(r, m->program->threads.count - 1);
        read.cell = (uint32_t)bytes_take_number(r, cells);
        read.mutex = (uint32_t)bytes_take_number(r, cells);
        if (!r->failed) {
            model_add_void_read(m, read);
        }
    }
}

static void encode_knowledge(target *t, bytes *out) {
    const interpreter *m = (const interpreter *)t;
    put_set(m->promoted, m->location_count, out);
    put_set(m->spins, m->location_count, out);
    if (t->spins) {
        put_void_reads(m, out);
    }
}

static void decode_knowledge(target *t, byte_reader *r) {
    interpreter *m = (interpreter *)t;
    if (take_set(m->promoted, NULL, m->location_count, r)) {
        t->promoted = true;
        memcpy(m->wanted, m->promoted, m->location_count);
    }
    if (take_set(m->spins, m->in_loop, m->location_count, r)) {
        t->spins = true;
        take_void_reads(m, r);
    }
}

static void encode_object(target *t, uint32_t object, bytes *out) {
    (void)t;
    bytes_put_number(out, object);
}

static uint32_t decode_object(target *t, byte_reader *r) {
    (void)t;
    return (uint32_t)bytes_take_number(r, TARGET_MOST_OBJECTS);
}

static void encode_location(target *t, uint32_t location, bytes *out) {
    (void)t;
    bytes_put_number(out, location);
}

static uint32_t decode_location(target *t, byte_reader *r) {
    (void)t;
    return (uint32_t)bytes_take_number(r, UINT32_MAX);
}

const target_names interpreter_names = {
    .thread_count = count_threads,
    .encode_knowledge = encode_knowledge,
    .decode_knowledge = decode_knowledge,
    .encode_object = encode_object,
    .decode_object = decode_object,
    .encode_location = encode_location,
    .decode_location = decode_location,
};
