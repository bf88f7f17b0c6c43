/* The whole state of the program and of the runtime, to be kept, put back and compared.
 *
 * One function describes the state; a cursor says in which direction it runs: measuring, saving
 * or restoring. What has to be equal for two states to be equal comes first. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_STATE_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_STATE_H

#include <string.h>

#include "targets/runtime/kernel/runtime.h"

enum cursor_direction { CURSOR_MEASURES, CURSOR_SAVES, CURSOR_RESTORES };

typedef struct state_cursor {
    enum cursor_direction direction;
    unsigned char *at;
    size_t size; /* passed so far */
} state_cursor;

static inline void state_pass(state_cursor *c, void *data, size_t size) {
    DEBUG_CHECK(!size || data);
    if (size && c->direction == CURSOR_SAVES) {
        memcpy(c->at + c->size, data, size);
    } else if (size && c->direction == CURSOR_RESTORES) {
        memcpy(data, c->at + c->size, size);
    }
    c->size += size;
}

#define STATE_PASS(cursor, lvalue) state_pass((cursor), &(lvalue), sizeof(lvalue))

/* What counts for equality but for the stack and the registers of one thread, and of its time what
 * it has slept since it last saw a clock, or all if the program never does. Returns the size; `to`
 * may be NULL. */
size_t state_save_rest(const runtime_thread *, void *to);

/* Functions of a target. */
size_t runtime_state_size(target *);
void runtime_save(target *, void *state);
void runtime_restore(target *, const void *state);
bool runtime_equal(target *, const void *state, const void *other);
void runtime_expect_comparisons(target *);

#endif
