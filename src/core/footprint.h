/* What one step accesses: a set of accesses, packed into 64 bits.
 *
 * An access is (object, bytes, mode). Objects are small numbers that the target assigns: a
 * variable, a mutex, a condition, or an aligned group of eight bytes of memory. `bytes` is the set
 * of bytes that are accessed, so that overlapping accesses of different sizes conflict byte by
 * byte. Nearly all steps have exactly one access, which fits into the word itself; a step with
 * several (atomic section, struct copy, memcpy) is an index into a table of interned sets, so that
 * equal sets are equal words and no set has a lifetime to manage.
 *
 * The dependence relation of heddle is footprint_conflict, here and nowhere else. */
#ifndef HEDDLE_CORE_FOOTPRINT_H
#define HEDDLE_CORE_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vector.h"

typedef uint64_t footprint;

enum access_mode {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
    ACCESS_READ_WRITE = 3, /* RMW, successful compare-and-swap, lock, unlock, … */
    /* A message is put into the mailbox that is the object. Two of them conflict, unless an
     * algorithm considers which message is received (dpor/messages.h). */
    ACCESS_SEND = 4 | ACCESS_READ_WRITE,
};

typedef struct memory_access {
    uint32_t object;
    uint8_t bytes; /* ACCESS_ALL_BYTES for objects that are not memory; 0: conflicts with nothing;
                      names what a receive would take */
    uint8_t mode;
} memory_access;

#define ACCESS_ALL_BYTES 0xffu

/* The bits of an object's value that an access to these bytes sees. */
static inline uint64_t access_value_bits(uint8_t bytes) {
    uint64_t spread = ((uint64_t)bytes * 0x0101010101010101u) & 0x8040201008040201u;
    return (((spread + 0x7f7f7f7f7f7f7f7fu) | spread) & 0x8080808080808080u) / 0x80u * 0xffu;
}
#define FOOTPRINT_EMPTY      ((footprint)0)
#define FOOTPRINT_SET_BIT    ((footprint)1 << 63)
#define FOOTPRINT_BYTES_MASK ((footprint)0xff << 32)
#define FOOTPRINT_READ_BIT   ((footprint)ACCESS_READ << 40)
#define FOOTPRINT_WRITE_BIT  ((footprint)ACCESS_WRITE << 40)
/* Of a set: it has an access of mode ACCESS_SEND; it has one without bytes; and which objects it
 * may touch, a bit for each, by their number modulo 16. */
#define FOOTPRINT_SEND_BIT      ((footprint)1 << 62)
#define FOOTPRINT_RECEIVE_BIT   ((footprint)1 << 61)
#define FOOTPRINT_OBJECTS_SHIFT 32

static inline footprint footprint_single(memory_access a) {
    return a.object | (footprint)a.bytes << 32 | (footprint)a.mode << 40;
}

static inline bool footprint_is_set(footprint f) {
    return (f & FOOTPRINT_SET_BIT) != 0;
}

/* The footprint of these accesses, in any order; accesses of the same object are merged. */
footprint footprint_of(const memory_access *accesses, uint32_t count);

/* The interned sets. A program has few distinct ones, so the table stays small. */
typedef struct footprint_set {
    footprint word;
    uint32_t start, count; /* in footprint_table.accesses */
    uint32_t mailbox;      /* the object that is accessed with ACCESS_SEND, if there is one */
} footprint_set;

extern _Thread_local struct footprint_table {
    VECTOR(memory_access) accesses;
    VECTOR(footprint_set) sets;
    hash_index numbers; /* of sets, by the hash of their accesses */
    VECTOR(memory_access) scratch, merged;
    VECTOR(memory_access) subset; /* scratch space for making one set out of another */
} footprint_table;

/* All accesses; a single one is put into `room`. Valid until another set is made. */
static inline const memory_access *footprint_accesses(footprint f, memory_access *room,
                                                      uint32_t *count) {
    if (footprint_is_set(f)) {
        const footprint_set *set = &vector_at(&footprint_table.sets, (uint32_t)f);
        *count = set->count;
        return footprint_table.accesses.items + set->start;
    }
    *count = f != FOOTPRINT_EMPTY;
    *room = (memory_access){
        .object = (uint32_t)f, .bytes = (uint8_t)(f >> 32), .mode = (uint8_t)(f >> 40)};
    return room;
}

/* Number of accesses, and access i of them, sorted by object. */
static inline uint32_t footprint_count(footprint f) {
    memory_access room;
    uint32_t count;
    footprint_accesses(f, &room, &count);
    return count;
}

static inline memory_access footprint_access(footprint f, uint32_t i) {
    memory_access room;
    uint32_t count;
    return footprint_accesses(f, &room, &count)[i];
}

/* Some access is of that object. */
static inline bool footprint_has_object(footprint f, uint32_t object) {
    for (uint32_t i = 0, n = footprint_count(f); i < n; i++) {
        if (footprint_access(f, i).object == object) {
            return true;
        }
    }
    return false;
}

/* The first of sorted accesses that is not of an earlier object. */
static inline const memory_access *access_seek(const memory_access *at, const memory_access *end,
                                               uint32_t object) {
    while (at < end && at->object < object) {
        at++;
    }
    return at;
}

typedef bool access_test(const memory_access *, const memory_access *);

/* The test holds for some access of `a` and some access of `b` to the same object. Both are sorted
 * by object: one merging pass, quadratic only within one object's modes. */
static inline __attribute__((always_inline)) bool footprint_any_pair(footprint a, footprint b,
                                                                     access_test *test) {
    memory_access a_room, b_room;
    uint32_t a_count, b_count;
    const memory_access *x = footprint_accesses(a, &a_room, &a_count), *x_end = x + a_count;
    const memory_access *y = footprint_accesses(b, &b_room, &b_count), *y_end = y + b_count;
    for (; x < x_end && (y = access_seek(y, y_end, x->object)) < y_end; x++) {
        for (const memory_access *z = y; z < y_end && z->object == x->object; z++) {
            if (test(x, z)) {
                return true;
            }
        }
    }
    return false;
}

/* False only if no object is accessed by both; a quick test. */
static inline bool footprint_may_meet(footprint a, footprint b) {
    footprint x = footprint_is_set(a) ? a >> FOOTPRINT_OBJECTS_SHIFT : 1u << (a & 15);
    footprint y = footprint_is_set(b) ? b >> FOOTPRINT_OBJECTS_SHIFT : 1u << (b & 15);
    return (x & y & 0xffff) != 0;
}

bool footprint_conflict_sets(footprint a, footprint b);

/* Some object has bytes that both access and at least one writes. */
static inline bool footprint_conflict(footprint a, footprint b) {
    if ((a | b) & FOOTPRINT_SET_BIT) {
        return footprint_may_meet(a, b) && footprint_conflict_sets(a, b);
    }
    return (uint32_t)a == (uint32_t)b && (a & b & FOOTPRINT_BYTES_MASK) != 0 &&
           ((a | b) & FOOTPRINT_WRITE_BIT) != 0;
}

/* Forgets all interned sets (they belong to one program). */
void footprint_table_clear(void);

#endif
