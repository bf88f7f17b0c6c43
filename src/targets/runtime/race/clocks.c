#include "targets/runtime/race/clocks.h"

#include <string.h>

__attribute__((noinline)) uint32_t race_new_row(void) {
    uint32_t index = race.rows++;
    vector_resize(&race.clocks, race.rows * race.stride);
    vector_resize(&race.row_units, race.rows);
    vector_at(&race.row_units, index) = undo.unit;
    lanes_clear(race_row(index), race.stride);
    return index;
}

__attribute__((noinline)) void race_log_row(uint32_t index) {
    size_t size = race.stride * sizeof(uint32_t);
    CHECK(index && index < race.rows);
    undo_items(&race.clocks.items, index * size, size);
    vector_at(&race.row_units, index) = undo.unit;
}

enum { SLOT_WORDS = sizeof(atomic_slot) / sizeof(uint32_t) };

/* Rows of slots begin at 1 and are as long as clocks. */
static void widen_slots(uint32_t old, uint32_t stride) {
    uint32_t rows = (race.slots.count - 1) / old;
    vector_resize(&race.slots, 1 + rows * stride);
    lanes_widen((uint32_t *)(race.slots.items + 1), rows, old * SLOT_WORDS, stride * SLOT_WORDS, 0);
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        if (s->execution == race.execution && s->cell.bytes) {
            s->cell.slots = 1 + (s->cell.slots - 1) / old * stride;
        }
    }
    for (uint32_t i = 1; i < race.cells.count; i++) {
        vector_at(&race.cells, i).slots = 1 + (vector_at(&race.cells, i).slots - 1) / old * stride;
    }
}

/* Room for more threads: every row gets longer. */
static void widen(uint32_t threads) {
    CHECK(threads > race.stride && threads <= RUNTIME_MAX_THREADS);
    undo_forget();
    uint32_t old = race.stride;
    uint32_t stride = old;
    while (stride < threads) {
        stride *= 2;
    }
    vector_resize(&race.clocks, race.rows * stride);
    lanes_widen(race.clocks.items, race.rows, old, stride, 0);
    widen_slots(old, stride);
    race.stride = stride;
}

void race_thread(runtime_thread *child, runtime_thread *creator) {
    if (!runtime.races) {
        return;
    }
    if (child->number >= race.stride) {
        widen(child->number + 1);
    }
    child->acquire_clock = child->release_clock = 0;
    child->clock = race_new_row();
    if (creator) {
        race_copy_row(child->clock, creator->clock);
        race_tick(creator);
    }
    race_row_to_change(child->clock)[child->number] = 1; /* it is new */
}

bool race_has_seen(const runtime_thread *t, const runtime_thread *other) {
    return runtime.races && race_row(t->clock)[other->number] >= race_now(other);
}

void race_join(runtime_thread *t, const runtime_thread *child) {
    if (runtime.races) {
        race_join_rows(t->clock, child->clock);
    }
}

void race_acquire(runtime_thread *t, const sync_object *s) {
    if (runtime.races && s->clock) {
        race_join_rows(t->clock, s->clock);
    }
}

void race_release(runtime_thread *t, sync_object *s) {
    if (!runtime.races) {
        return;
    }
    if (!s->clock) {
        s->clock = race_new_row();
    }
    race_copy_row(s->clock, t->clock);
    race_tick(t);
}

void race_acquire_row(runtime_thread *t, uint32_t from) {
    if (runtime.races && from) {
        race_join_rows(t->clock, from);
    }
}

uint32_t race_release_row(runtime_thread *t, uint32_t earlier) {
    if (!runtime.races) {
        return 0;
    }
    uint32_t released = race_new_row();
    race_copy_row(released, t->clock);
    if (earlier) {
        race_join_rows(released, earlier);
    }
    race_tick(t);
    return released;
}
