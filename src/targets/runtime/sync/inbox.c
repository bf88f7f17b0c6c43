#include "targets/runtime/sync/inbox.h"

#include <string.h>

#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/space.h"

enum { PAYLOAD_ALIGNMENT = 16, PAYLOAD_LIMIT = 1 << 30 };

inbox inboxes[RUNTIME_MAX_THREADS];

static VECTOR(letter) letters; /* the first is LETTER_NONE */
static VECTOR(uint8_t) payloads;
static uint32_t past;
static inbox_mark mark; /* letters from here on are of the open unit, and need not be logged */

void inbox_close(void) {
    inbox_reset();
    vector_free(&letters);
    vector_free(&payloads);
    space.letters_low = space.letters_size = 0;
}

void inbox_reset(void) {
    vector_clear(&letters);
    vector_push(&letters, (letter){0});
    vector_clear(&payloads);
    memset(inboxes, 0, runtime.thread_count * sizeof *inboxes);
}

const letter *inbox_letter(uint32_t index) {
    DEBUG_CHECK(index != LETTER_NONE && index < letters.count);
    return &vector_at(&letters, index);
}

/* ---- going back ---- */

void inbox_take_mark(inbox_mark *m) {
    *m = mark = (inbox_mark){letters.count, payloads.count};
}

void inbox_go_back(const inbox_mark *m) {
    mark = *m;
    letters.count = m->letters;
    payloads.count = m->payloads;
    past++;
}

uint32_t inbox_past(void) {
    return past;
}

void inbox_forget_search(inbox *box) {
    box->scanned = box->found = LETTER_NONE;
    box->misbehaves = box->shown = false;
    box->past = past;
}

inbox *inbox_to_change(uint32_t thread) {
    inbox *box = &inboxes[thread];
    if (unlikely(box->unit != undo.unit)) {
        undo_write((uintptr_t)box, sizeof *box);
        box->unit = undo.unit;
    }
    return box;
}

letter *inbox_letter_to_change(uint32_t index) {
    letter *l = &vector_at(&letters, index);
    if (index < mark.letters) {
        undo_items(&letters.items, index * sizeof *l, sizeof *l);
    }
    return l;
}

void inbox_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    visit("letters", 0, letters.items, letters.count * sizeof *letters.items);
    visit("payloads", 0, payloads.items, payloads.count);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const inbox *box = &inboxes[i];
        visit("inbox", i, box, offsetof(inbox, scanned));
        visit("inbox.process", i, &box->process, sizeof box->process);
    }
}

static void check_box(const inbox *box) {
    uint32_t last = LETTER_NONE, count = 0;
    for (uint32_t i = box->first; i != LETTER_NONE; i = inbox_letter(i)->next) {
        const letter *l = inbox_letter(i);
        CHECK(l->start <= payloads.count && l->size <= payloads.count - l->start);
        CHECK(l->start % PAYLOAD_ALIGNMENT == 0 && l->sender < runtime.thread_count);
        CHECK(++count < letters.count);
        CHECK(i != box->hand && i != box->outgoing);
        last = i;
    }
    CHECK(box->last == last);
    CHECK(box->hand < letters.count && box->outgoing < letters.count);
    CHECK(box->process.wanted.tag_count <= ACTOR_MAX_TAGS);
}

void inbox_check(void) {
    CHECK(letters.count && inboxes[0].first < letters.count);
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        check_box(&inboxes[i]);
    }
}

/* ---- letters ---- */

void *inbox_payload(const letter *l) {
    return payloads.items + l->start;
}

bool inbox_has_room(size_t size) {
    return size <= PAYLOAD_LIMIT && payloads.count + size <= PAYLOAD_LIMIT;
}

/* Room for a payload; nothing changes but capacities. */
static uint32_t reserve(uint32_t size) {
    uint32_t start = (payloads.count + PAYLOAD_ALIGNMENT - 1) & ~(uint32_t)(PAYLOAD_ALIGNMENT - 1);
    vector_reserve(&payloads, start + size);
    space.letters_low = (uintptr_t)payloads.items;
    space.letters_size = payloads.capacity;
    return start;
}

uint32_t inbox_write(int32_t tag, const void *data, uint32_t size) {
    uint32_t start = reserve(size);
    memset(payloads.items + payloads.count, 0, start - payloads.count);
    if (size) {
        memcpy(payloads.items + start, data, size);
    }
    payloads.count = start + size;
    vector_push(&letters, (letter){.tag = tag, .start = start, .size = size});
    return letters.count - 1;
}

void inbox_deliver(uint32_t thread, uint32_t index) {
    inbox *box = inbox_to_change(thread);
    CHECK(thread < RUNTIME_MAX_THREADS && inbox_letter(index)->next == LETTER_NONE);
    CHECK((box->first == LETTER_NONE) == (box->last == LETTER_NONE));
    if (box->last == LETTER_NONE) {
        box->first = index;
    } else {
        inbox_letter_to_change(box->last)->next = index;
    }
    box->last = index;
}

void inbox_remove(uint32_t thread, uint32_t index) {
    inbox *box = inbox_to_change(thread);
    uint32_t before = LETTER_NONE;
    for (uint32_t i = box->first; i != index; i = inbox_letter(i)->next) {
        CHECK(i != LETTER_NONE);
        before = i;
    }
    uint32_t next = inbox_letter(index)->next;
    if (before == LETTER_NONE) {
        box->first = next;
    } else {
        inbox_letter_to_change(before)->next = next;
    }
    if (box->last == index) {
        box->last = before;
    }
    inbox_letter_to_change(index)->next = LETTER_NONE;
}

uint32_t inbox_unscanned(const inbox *box) {
    return box->scanned == LETTER_NONE ? box->first : inbox_letter(box->scanned)->next;
}

static bool tag_fits(const inbox_pattern *p, int32_t tag) {
    for (uint32_t i = 0; i < p->tag_count; i++) {
        if (p->tags[i] == tag) {
            return true;
        }
    }
    return p->tag_count == 0;
}

bool inbox_fits(const inbox_pattern *p, const letter *l) {
    return tag_fits(p, l->tag) && (p->sender == ACTOR_NONE || p->sender == l->sender + 1);
}

/* ---- states ---- */

static void pass_letter(state_cursor *c, uint32_t *index) {
    letter l = {0};
    if (c->direction != CURSOR_RESTORES) {
        l = *inbox_letter(*index);
    }
    STATE_PASS(c, l.tag);
    STATE_PASS(c, l.sender);
    STATE_PASS(c, l.size);
    if (c->direction == CURSOR_RESTORES) {
        *index = inbox_write(l.tag, c->at + c->size, l.size);
        vector_at(&letters, *index).sender = l.sender;
    }
    state_pass(c, inbox_payload(inbox_letter(*index)), l.size);
}

static void pass_slot(state_cursor *c, uint32_t *slot) {
    bool there = *slot != LETTER_NONE;
    STATE_PASS(c, there);
    if (there) {
        pass_letter(c, slot);
    }
}

static void pass_queue(state_cursor *c, uint32_t thread) {
    inbox *box = &inboxes[thread];
    uint32_t count = 0, index = box->first;
    for (uint32_t i = box->first; i != LETTER_NONE; i = inbox_letter(i)->next) {
        count++;
    }
    STATE_PASS(c, count);
    for (uint32_t i = 0; i < count; i++) {
        pass_letter(c, &index);
        if (c->direction == CURSOR_RESTORES) {
            inbox_deliver(thread, index);
        } else {
            index = inbox_letter(index)->next;
        }
    }
}

void inbox_pass_visible(state_cursor *c) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        pass_slot(c, &inboxes[i].hand);
        pass_slot(c, &inboxes[i].outgoing);
        pass_queue(c, i);
    }
}

static void pass_letter_rest(state_cursor *c, uint32_t index) {
    if (index != LETTER_NONE) {
        letter *l = &vector_at(&letters, index);
        STATE_PASS(c, l->number);
        STATE_PASS(c, l->events);
        STATE_PASS(c, l->clock);
    }
}

void inbox_pass_rest(state_cursor *c) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        inbox *box = &inboxes[i];
        STATE_PASS(c, box->process);
        pass_letter_rest(c, box->hand);
        pass_letter_rest(c, box->outgoing);
        for (uint32_t l = box->first; l != LETTER_NONE; l = inbox_letter(l)->next) {
            pass_letter_rest(c, l);
        }
    }
}
