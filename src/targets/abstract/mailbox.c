#include "targets/abstract/mailbox.h"

#include <string.h>

/* ---- how much room there must be ---- */

/* Some jump after the instruction goes back to it or before it. */
static bool in_loop(const model_thread *thread, uint32_t at) {
    for (uint32_t i = at; i < thread->code.count; i++) {
        if (instruction_jumps_back(&vector_at(&thread->code, i), at)) {
            return true;
        }
    }
    return false;
}

static void add_capacity(mailbox *mailboxes, const place *receivers, uint32_t messages) {
    for (uint32_t i = 0; i < receivers->count; i++) {
        mailbox *box = &mailboxes[receivers->first + i];
        box->capacity += messages;
        box->capacity = box->capacity > MAILBOX_LIMIT ? MAILBOX_LIMIT : box->capacity;
    }
}

uint32_t mailbox_plan(const program *p, mailbox *mailboxes) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            const instruction *in = &vector_at(&thread->code, i);
            if (in->kind == INSTRUCTION_SEND) {
                add_capacity(mailboxes, &in->cell, in_loop(thread, i) ? MAILBOX_LIMIT : 1);
            }
        }
    }
    uint32_t slots = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        mailboxes[t].first = slots;
        slots += mailboxes[t].capacity;
    }
    return slots;
}

/* ---- messages ---- */

bool mailbox_put(mailbox *box, message *slots, message sent) {
    if (box->sent == box->capacity) {
        return false;
    }
    slots[box->first + box->count++] = sent;
    box->sent++;
    return true;
}

static bool matches(int64_t tag, const int64_t *tags, uint32_t tag_count) {
    for (uint32_t i = 0; i < tag_count; i++) {
        if (tags[i] == tag) {
            return true;
        }
    }
    return tag_count == 0;
}

uint32_t mailbox_find(const mailbox *box, const message *slots, const int64_t *tags,
                      uint32_t tag_count) {
    for (uint32_t i = 0; i < box->count; i++) {
        if (matches(slots[box->first + i].tag, tags, tag_count)) {
            return i;
        }
    }
    return MESSAGE_NONE;
}

message mailbox_take(mailbox *box, message *slots, uint32_t index) {
    CHECK(index < box->count);
    message *at = &slots[box->first + index], taken = *at;
    memmove(at, at + 1, (--box->count - index) * sizeof *at);
    memset(&slots[box->first + box->count], 0, sizeof *at);
    return taken;
}

void mailbox_clear(mailbox *box, message *slots) {
    memset(&slots[box->first], 0, box->count * sizeof *slots);
    box->count = box->sent = 0;
}
