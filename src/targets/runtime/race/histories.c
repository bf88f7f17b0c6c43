#include "targets/runtime/race/histories.h"

#include <string.h>

#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

typedef VECTOR(access_record) record_pool;

/* A record that was copied no longer has a time, but the number of its copy. */
static uint32_t move_history(record_pool *to, uint32_t history) {
    uint32_t first = 0, before = 0;
    while (history) {
        access_record *r = &vector_at(&race.records, history);
        uint32_t moved = r->time ? to->count : r->next, next = r->time ? r->next : 0;
        if (r->time) {
            vector_push(to, *r);
            *r = (access_record){.next = moved};
        }
        if (before) {
            vector_at(to, before).next = moved;
        }
        first = first ? first : moved;
        before = moved;
        history = next;
    }
    return first;
}

/* A word may be in several runs: the first moves it. */
#define WORD_MOVED (RACE_OWNED / 2)

static void move_words(record_pool *to, const word_run *r) {
    for (uint32_t *word = r->first; word < r->first + r->count; word++) {
        if (!(*word & (RACE_OWNED | WORD_MOVED))) {
            *word = move_history(to, *word) | WORD_MOVED;
        }
    }
}

static void end_move(const word_run *r) {
    for (uint32_t *word = r->first; word < r->first + r->count; word++) {
        *word = *word & RACE_OWNED ? *word : *word & ~WORD_MOVED;
    }
}

void race_collect(void) {
    if (undo.unit) {
        undo_forget(); /* the log has histories, too */
    }
    record_pool kept = {0};
    vector_push(&kept, (access_record){0});
    for (uint32_t i = 0; i < race.touched.count; i++) {
        move_words(&kept, &vector_at(&race.touched, i));
    }
    for (uint32_t i = 0; i < race.touched.count; i++) {
        end_move(&vector_at(&race.touched, i));
    }
    for (uint32_t i = 0; i < race.shadows.count; i++) {
        shadow *s = &vector_at(&race.shadows, i);
        for (int half = 0; half < RACE_HALVES && s->execution == race.execution; half++) {
            s->histories[half] = move_history(&kept, s->histories[half]);
        }
    }
    CHECK(kept.count <= race.records.count && kept.count < WORD_MOVED && !race.changes.count);
    memcpy(race.records.items, kept.items, kept.count * sizeof *kept.items);
    race.records.count = kept.count;
    if (kept.count > RACE_OWNED / 4) {
        limit_escape(LIMIT_MEMORY);
    }
    race.crowd = 2 * kept.count + RACE_LEAST_CROWD;
    vector_free(&kept);
    race_end_steps();
}

void race_visit_history(race_visitor *visit, uint32_t number, uint32_t history) {
    for (; history; history = vector_at(&race.records, history).next) {
        access_record r = vector_at(&race.records, history);
        r.next = 0;
        visit("history", number, &r, sizeof r);
    }
}

void race_check_history(uint32_t history) {
    for (; history; history = vector_at(&race.records, history).next) {
        const access_record *r = &vector_at(&race.records, history);
        uint8_t mode = plain_mode(r->access);
        CHECK(plain_bytes(r->access) && (mode == ACCESS_READ || mode == ACCESS_WRITE));
        CHECK(plain_thread(r->access) < runtime.thread_count && r->time);
        CHECK(r->time <= race_now(&runtime.threads[plain_thread(r->access)]));
        CHECK(r->next < race.records.count);
    }
}
