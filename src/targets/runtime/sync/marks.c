#include "targets/runtime/sync/marks.h"

#include "base/vector.h"
#include "targets/runtime/kernel/state.h"

static VECTOR(sync_mark) marks; /* the first one is unused */

void marks_close(void) {
    vector_free(&marks);
}

void marks_reset(void) {
    vector_clear(&marks);
}

uint32_t marks_count(void) {
    return marks.count;
}

void marks_go_back(uint32_t count) {
    CHECK(count <= marks.count);
    marks.count = count;
}

void marks_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    visit("marks", 0, marks.items, marks.count * sizeof *marks.items);
}

static uint32_t add(sync_mark mark) {
    if (!marks.count) {
        vector_push(&marks, (sync_mark){0});
    }
    vector_push(&marks, mark);
    return marks.count - 1;
}

uint32_t marks_add(const runtime_thread *t, uint32_t clock, uint32_t latest) {
    CHECK(latest < marks.count || !latest);
    return add((sync_mark){t->number, t->events, clock, latest});
}

void marks_check(uint32_t latest) {
    for (; latest; latest = marks_at(latest)->previous) {
        CHECK(latest < marks.count && marks_at(latest)->previous < latest);
        CHECK(marks_at(latest)->thread < runtime.thread_count);
        CHECK(marks_at(latest)->events <= runtime.threads[marks_at(latest)->thread].events);
    }
}

const sync_mark *marks_at(uint32_t mark) {
    DEBUG_CHECK(mark);
    return &vector_at(&marks, mark);
}

uint32_t marks_find(uint32_t latest, uint32_t thread) {
    while (latest && marks_at(latest)->thread != thread) {
        latest = marks_at(latest)->previous;
    }
    return latest;
}

uint32_t marks_without(uint32_t latest, uint32_t thread) {
    uint32_t removed = marks_find(latest, thread);
    CHECK(removed);
    uint32_t kept = marks_at(removed)->previous;
    for (; latest != removed; latest = marks_at(latest)->previous) {
        sync_mark copy = *marks_at(latest);
        copy.previous = kept;
        kept = add(copy);
    }
    return kept;
}

void marks_pass(struct state_cursor *c) {
    uint32_t count = marks.count;
    STATE_PASS(c, count);
    vector_resize(&marks, count);
    state_pass(c, marks.items, count * sizeof *marks.items);
}
