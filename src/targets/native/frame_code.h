/* The instructions of one function, in the compiler's assembly for x86-64 without optimisation:
 * what each reads and writes of the frame's locals and of the registers that calls preserve, and
 * where it goes. A function is either understood completely or not at all: see dead_locals.h. */
#ifndef HEDDLE_TARGETS_NATIVE_FRAME_CODE_H
#define HEDDLE_TARGETS_NATIVE_FRAME_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

/* Parts are the registers and, beyond FRAME_FIRST, the bytes below %rbp, the nearest first. */
enum {
    FRAME_REGISTERS = 5,
    FRAME_FIRST = 64,
    FRAME_BYTES = 1024, /* those that are further away are never cleared */
    FRAME_PARTS = FRAME_FIRST + FRAME_BYTES,
    FRAME_WORDS = FRAME_PARTS / 64,
};

/* A set of parts by number. */
typedef struct frame_set {
    uint64_t words[FRAME_WORDS];
} frame_set;

#define FRAME_NOWHERE UINT32_MAX

typedef struct frame_line {
    uint32_t start, length;  /* in the text, with the end of the line */
    frame_set reads, writes; /* writes: as a whole, without reading it */
    bool goes_on;            /* with the next line */
    bool returns;            /* to the caller */
    bool anywhere;           /* to any label, or out of the function */
    uint32_t target;         /* the line of the label that it may jump to, or FRAME_NOWHERE */
    bool parks;              /* a call at which the thread may have to wait */
} frame_line;

typedef VECTOR(long) frame_offsets;

typedef struct frame_code {
    const char *text;
    const frame_offsets *starts; /* of some of its variables: no variable spans one of them */
    VECTOR(frame_line) lines;
    frame_set unclear;       /* named by its address, or not by an instruction that is known */
    frame_set written;       /* as a whole, somewhere */
    VECTOR(uint32_t) labels; /* lines */
} frame_code;

/* False: it is not understood. The text must stay, and the starts. */
bool frame_code_read(frame_code *, const char *text, const frame_offsets *starts);
void frame_code_free(frame_code *);

/* How to clear register number i. */
const char *frame_register_clear(uint32_t i);

static inline bool frame_set_has(const frame_set *s, uint32_t i) {
    return s->words[i / 64] >> (i % 64) & 1;
}

static inline void frame_set_add(frame_set *s, uint32_t i) {
    s->words[i / 64] |= (uint64_t)1 << (i % 64);
}

/* The part that is the byte at that distance from %rbp. */
static inline uint32_t frame_part_at(long offset) {
    return (uint32_t)(FRAME_FIRST - 1 - offset);
}

#endif
