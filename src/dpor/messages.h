/* Messages that have been sent and not yet been received, as footprints show them.
 *
 * A send has one access of mode ACCESS_SEND, to its mailbox, and writes the objects that represent
 * the kinds of the message (its tag, "any"). A receive names the kinds that it accepts by accesses
 * without bytes, and takes the earliest message of one of these kinds. */
#ifndef HEDDLE_DPOR_MESSAGES_H
#define HEDDLE_DPOR_MESSAGES_H

#include "base/vector.h"
#include "core/footprint.h"

typedef struct sent_message {
    footprint send;
    uint32_t stamp; /* identifies the message and gives its order among others */
} sent_message;

typedef struct message_list {
    VECTOR(sent_message) messages; /* in the order in which they were sent */
} message_list;

static inline bool message_is_send(footprint f) {
    return (f & (FOOTPRINT_SET_BIT | FOOTPRINT_SEND_BIT)) ==
           (FOOTPRINT_SET_BIT | FOOTPRINT_SEND_BIT);
}

static inline bool message_is_receive(footprint f) {
    return footprint_is_set(f) ? (f & FOOTPRINT_RECEIVE_BIT) != 0
                               : f != FOOTPRINT_EMPTY && !(f & FOOTPRINT_BYTES_MASK);
}

/* The mailbox that a send goes to. */
static inline uint32_t message_mailbox(footprint send) {
    return vector_at(&footprint_table.sets, (uint32_t)send).mailbox;
}
/* The receive would take what the send sends. */
bool message_matches_exactly(footprint receive, footprint send);

static inline bool message_matches(footprint receive, footprint send) {
    return footprint_may_meet(receive, send) && message_matches_exactly(receive, send);
}

/* Removes the earliest message that matches from the list; false if none does. */
bool message_take(message_list *, footprint receive, sent_message *taken);

#endif
