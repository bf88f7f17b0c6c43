#include "targets/runtime/race/race.h"

#include <string.h>

#include "base/block.h"
#include "targets/runtime/kernel/errors.h"
#include "targets/runtime/kernel/frame.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

race_detector race;
bool race_frees;
const char *(*race_describe)(const race_report *report);
bool (*race_is_ignored)(const race_report *report);

void race_open(void) {
    race.stride = RACE_CLOCK_GROUP;
    race.execution = 0;
    race_reset();
}

void race_close(void) {
    vector_free(&race.records);
    vector_free(&race.cells);
    vector_free(&race.slots);
    vector_free(&race.shadows);
    vector_free(&race.owning);
    vector_free(&race.touched);
    vector_free(&race.changes);
    vector_free(&race.clocks);
    vector_free(&race.row_units);
}

void race_reset(void) {
    race_clear_words();
    race_forget_marks();
    race.crowd = RACE_LEAST_CROWD;
    race_end_steps();
    race.execution++;
    vector_resize(&race.records, 1);
    vector_resize(&race.cells, 1);
    vector_resize(&race.slots, 1);
    race.rows = 0;
    race_new_row();
}

/* ---- shadows ---- */

__attribute__((noinline)) void race_add_shadows(uint32_t object) {
    uint32_t old = race.shadows.count;
    vector_resize(&race.shadows, object + 64);
    vector_resize(&race.owning, object + 64);
    memset(race.shadows.items + old, 0, (race.shadows.count - old) * sizeof(shadow));
    memset(race.owning.items + old, 0, (race.shadows.count - old) * sizeof(bool));
}

static void renew_shadow(shadow *s) {
    memset(s, 0, sizeof *s);
    s->execution = race.execution;
    s->unit = undo.unit;
}

/* Of a void shadow, nothing is put back but that it is void. */
static void log_shadow(uint32_t object) {
    shadow *s = &vector_at(&race.shadows, object);
    size_t size = sizeof *s;
    if (s->execution != race.execution) {
        s->execution = 0;
        size = sizeof s->execution;
    }
    undo_items(&race.shadows.items, object * sizeof *s, size);
    s->unit = undo.unit;
}

/* The history that a shadow takes over was the granule's before: it is logged as such. */
__attribute__((noinline)) void race_prepare_shadow(uint32_t object) {
    shadow *s = &vector_at(&race.shadows, object);
    if (unlikely(!vector_at(&race.owning, object))) {
        race_own_words(object);
    }
    if (s->unit != undo.unit) {
        log_shadow(object);
    }
    if (s->execution != race.execution) {
        renew_shadow(s);
    }
}

static const char *access_word(bool writes, bool atomic) {
    return writes ? (atomic ? "atomic write" : "write") : (atomic ? "atomic read" : "read");
}

/* What is special about an access to the stack of its thread, or NULL. */
static const char *stack_word(uint32_t location, uint32_t thread, uint32_t object) {
    return frame_is_end(location)                     ? "end of its life"
           : frame_is_reuse(location, thread, object) ? "reuse of its place"
                                                      : NULL;
}

const char *race_access_word(const race_report *r) {
    const char *word = stack_word(r->location, r->thread, r->object);
    return word ? word : r->frees ? "free" : access_word(r->writes, r->atomic);
}

/* The earlier access was the free of the block; the life of a wide one is in its header. */
static bool other_frees(const race_report *r) {
    uintptr_t address = space_object_address(r->object);
    const heap_header *block =
        heap_contains(address) ? heap_before(address + sizeof(heap_header)) : NULL;
    return block && !block->live && block->freed == r->other_location &&
           block->freeing_thread == r->other_thread;
}

const char *race_other_word(const race_report *r) {
    const char *word = stack_word(r->other_location, r->other_thread, r->object);
    return word ? word : other_frees(r) ? "free" : access_word(r->other_writes, r->other_atomic);
}

void race_report_access(runtime_thread *t, memory_access a, uint8_t mode, uint32_t location,
                        const other_access *other) {
    race_report r = {.object = a.object,
                     .bytes = a.bytes & other->bytes,
                     .thread = t->number,
                     .location = location,
                     .other_thread = other->thread,
                     .other_location = other->location,
                     .writes = (mode & ACCESS_WRITE) != 0,
                     .other_writes = (other->mode & ACCESS_WRITE) != 0,
                     .atomic = (mode & RACE_ATOMIC) != 0,
                     .other_atomic = (other->mode & RACE_ATOMIC) != 0,
                     .frees = race_frees};
    passing_promote(location);
    passing_promote(other->location);
    if (errors_have(t->number, true) || errors_have(t->number, false)) {
        return;
    }
    if (runtime.settings.no_race_check || (race_is_ignored && race_is_ignored(&r))) {
        if (runtime.versions) { /* its accesses would have to be steps */
            runtime_error(t, ERROR_UNSUPPORTED, location,
                          "a data race that is not reported, under a weak memory model");
        }
        return;
    }
    runtime_relate(race_access_word(&r), t->number, location);
    runtime_relate(race_other_word(&r), other->thread, other->location);
    runtime_error(t, ERROR_DATA_RACE, location, race_describe ? race_describe(&r) : "data race");
}

/* ---- checks ---- */

static void check_cell(const atomic_cell *c) {
    CHECK(c->next < race.cells.count && c->clock < race.rows);
    CHECK(c->releaser <= runtime.thread_count);
    CHECK(!c->released || c->clock);
    if (c->bytes) {
        CHECK(c->slots && (c->slots - 1) % race.stride == 0);
        CHECK(c->slots + race.stride <= race.slots.count);
    }
}

static void check_clock(const runtime_thread *t) {
    CHECK(t->clock && t->clock < race.rows);
    CHECK(t->acquire_clock < race.rows && t->release_clock < race.rows);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        uint32_t known = race_row(t->clock)[i];
        CHECK(known == 0 || other->status != THREAD_NONE);
        CHECK(known == 0 || known <= race_now(other));
    }
}

void race_check(void) {
    CHECK(race.stride % RACE_CLOCK_GROUP == 0 && race.records.count && race.cells.count);
    CHECK(race.clocks.count >= race.rows * race.stride && race.row_units.count >= race.rows);
    CHECK(race.mark.rows <= race.rows || !undo.unit);
    for (uint32_t i = 0; runtime.races && i < runtime.thread_count; i++) {
        if (runtime.threads[i].status != THREAD_NONE && runtime.threads[i].clock) {
            check_clock(&runtime.threads[i]);
        }
    }
    for (uint32_t i = 0; runtime.races && i < race.shadows.count; i++) {
        const shadow *s = &vector_at(&race.shadows, i);
        CHECK(s->execution <= race.execution && s->unit <= undo.numbers);
        if (s->execution == race.execution) {
            CHECK(vector_at(&race.owning, i));
            race_check_history(s->histories[0]);
            race_check_history(s->histories[1]);
            check_cell(&s->cell);
        }
    }
    for (uint32_t i = 1; i < race.cells.count; i++) {
        check_cell(&vector_at(&race.cells, i));
    }
    if (runtime.races) {
        race_check_words();
    }
}

/* ---- going back ---- */

void race_take_mark(race_mark *m) {
    *m = race.mark = (race_mark){.records = race.records.count,
                                 .cells = race.cells.count,
                                 .slots = race.slots.count,
                                 .rows = race.rows,
                                 .touched = race.touched.count,
                                 .changes = race.changes.count};
    race_end_steps(); /* histories of before belong to another unit */
}

void race_forget_marks(void) {
    race.mark = (race_mark){.records = 1};
    race.changes.count = 0;
}

void race_go_back(const race_mark *m) {
    CHECK(m->records <= race.records.count && m->cells <= race.cells.count);
    CHECK(m->slots <= race.slots.count && m->rows <= race.rows);
    race.mark = *m;
    race_put_words_back(m);
    race_end_steps();
    race.records.count = m->records;
    race.cells.count = m->cells;
    race.slots.count = m->slots;
    race.rows = m->rows;
    race.clocks.count = m->rows * race.stride;
}

uint32_t race_execution(void) {
    return race.execution;
}

void race_rename_execution(uint32_t number) {
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        s->execution = s->execution == race.execution ? number : 0;
    }
    race.execution = number;
}

/* As good as void. */
static bool is_empty(const shadow *s) {
    return !s->cell.bytes && !s->histories[0] && !s->histories[1];
}

#define VISIT_VECTOR(visit, vector) \
    visit(#vector, 0, race.vector.items, race.vector.count * sizeof *race.vector.items)

void race_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    VISIT_VECTOR(visit, cells);
    VISIT_VECTOR(visit, slots);
    VISIT_VECTOR(visit, clocks);
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        const shadow *s = &vector_at(&race.shadows, i);
        if (s->execution == race.execution && !is_empty(s)) {
            race_visit_history(visit, i, s->histories[0]);
            race_visit_history(visit, i, s->histories[1]);
            visit("shadow.cell", i, &s->cell, sizeof s->cell);
        }
    }
    race_visit_words(visit);
}

/* ---- states ---- */

#define PASS_VECTOR(c, vector)                                                      \
    do {                                                                            \
        uint32_t passed = (vector)->count;                                          \
        STATE_PASS((c), passed);                                                    \
        vector_resize((vector), passed);                                            \
        state_pass((c), (vector)->items, (size_t)passed * sizeof *(vector)->items); \
    } while (0)

/* Shadows say in which execution they were written; that number never goes back. */
static void renew_shadows(uint32_t saved_execution, uint32_t saved_count) {
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        bool valid = i < saved_count && s->execution == saved_execution;
        s->execution = valid ? race.execution : 0;
    }
}

void race_pass(struct state_cursor *c) {
    if (!runtime.races) {
        return;
    }
    uint32_t stride = race.stride, execution = race.execution, count = race.shadows.count;
    if (c->direction == CURSOR_RESTORES) {
        race_clear_words();
        race_forget_marks();
        race_end_steps();
    }
    STATE_PASS(c, stride);
    STATE_PASS(c, execution);
    STATE_PASS(c, race.rows);
    PASS_VECTOR(c, &race.records);
    PASS_VECTOR(c, &race.cells);
    PASS_VECTOR(c, &race.slots);
    PASS_VECTOR(c, &race.clocks);
    STATE_PASS(c, count);
    if (c->direction == CURSOR_RESTORES && race.shadows.count < count) {
        race_add_shadows(count);
    }
    state_pass(c, race.shadows.items, (size_t)count * sizeof *race.shadows.items);
    if (c->direction == CURSOR_RESTORES) {
        renew_shadows(execution, count);
        race.stride = stride;
        vector_resize(&race.row_units, race.rows);
    }
    race_pass_words(c);
}
