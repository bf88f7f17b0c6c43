/* The mailboxes of an abstract program: every thread has one, and a message stays in it from the
 * send until the thread takes it, the earliest match first.
 *
 * All that changes lies in two plain arrays, so that it can be part of the one block that is the
 * state of an interpreter: a mailbox per thread, and the messages, a row of slots per mailbox. Free
 * slots are zero: equal mailboxes are equal bytes.
 *
 * The number of messages that a mailbox gets in one execution is limited, not the number that
 * waits in it: whether a send finds room would else depend on the receives before it, with which
 * sends commute. A mailbox that only sends outside of loops can reach has as many slots as there
 * are such sends; any other one MAILBOX_LIMIT. */
#ifndef HEDDLE_TARGETS_ABSTRACT_MAILBOX_H
#define HEDDLE_TARGETS_ABSTRACT_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "targets/abstract/program.h"

#define MAILBOX_LIMIT 256u
#define MESSAGE_NONE  UINT32_MAX

typedef struct message {
    int64_t tag, value;
    uint32_t sender;
    uint32_t events; /* the sender's, the send included */
} message;

typedef struct mailbox {
    uint32_t first; /* slot */
    uint32_t capacity;
    uint32_t count; /* that wait */
    uint32_t sent;  /* in all */
} mailbox;

/* Sets `first` and `capacity` of the mailboxes of all threads; returns the number of slots. */
uint32_t mailbox_plan(const program *, mailbox *mailboxes);

/* False if the mailbox has had all the messages that it can get. */
bool mailbox_put(mailbox *, message *slots, message);

/* The earliest message with one of the tags (with any tag, if there are none to choose from) as an
 * index for mailbox_get and mailbox_take, or MESSAGE_NONE. */
uint32_t mailbox_find(const mailbox *, const message *slots, const int64_t *tags,
                      uint32_t tag_count);

static inline const message *mailbox_get(const mailbox *box, const message *slots, uint32_t index) {
    return &slots[box->first + index];
}

message mailbox_take(mailbox *, message *slots, uint32_t index);

/* As it was at the start. */
void mailbox_clear(mailbox *, message *slots);

#endif
