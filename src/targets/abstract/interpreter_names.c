/* What abstract programs are called in bytes that leave the process: numbers of threads, cells and
 * locations are the program's. What is learnt as it runs is which plain accesses race. */
#include "base/bytes.h"
#include "targets/abstract/interpreter.h"
#include "targets/abstract/interpreter_state.h"

static uint32_t count_threads(target *t) {
    return t->class->thread_count(t);
}

static void encode_knowledge(target *t, bytes *out) {
    const interpreter *m = (const interpreter *)t;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->location_count; i++) {
        count += m->promoted[i];
    }
    bytes_put_number(out, count);
    for (uint32_t i = 0; i < m->location_count; i++) {
        if (m->promoted[i]) {
            bytes_put_number(out, i);
        }
    }
}

static void decode_knowledge(target *t, byte_reader *r) {
    interpreter *m = (interpreter *)t;
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t location = (uint32_t)bytes_take_number(r, m->location_count - 1);
        if (!r->failed) {
            m->promoted[location] = m->wanted[location] = t->promoted = true;
        }
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
