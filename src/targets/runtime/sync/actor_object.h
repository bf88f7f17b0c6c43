/* The objects of message passing: what sends and receives touch, and what reports call them.
 *
 * An object is known by what it stands for, so its number is the same in all executions. Two sends
 * to one process conflict by its ACTOR_MAILBOX. The kinds of message that a message is say what a
 * receive takes (as in dpor/messages.h), and with which sends one that need not wait conflicts. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_ACTOR_OBJECT_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_ACTOR_OBJECT_H

#include <stdio.h>

#include "targets/runtime/kernel/runtime.h"

enum actor_object_kind {
    ACTOR_MAILBOX,     /* the order of the messages to `owner` */
    ACTOR_ANYTHING,    /* any message to `owner` */
    ACTOR_TAGGED,      /* one with a tag */
    ACTOR_FROM,        /* one from `other` */
    ACTOR_TAGGED_FROM, /* one with a tag from `other` */
    ACTOR_LETTER,      /* message `number` of `other`, to whomever */
    ACTOR_SENT,        /* a send of it, with its footprint */
    ACTOR_SENT_STRICTLY,
    /* For reports only: */
    ACTOR_TAKEN,    /* what `owner` received: a tag from `other` */
    ACTOR_TIME_OUT, /* nothing */
    ACTOR_WAIT,     /* what `owner` waits for now, and what it has got instead */
};

typedef struct actor_object {
    uint8_t kind;
    int32_t tag;
    uint32_t owner, other; /* threads */
    uint32_t number;
} actor_object;

uint32_t actor_object_number(actor_object);

/* Of a send: everything it touches, and the object that stands for it in reports. A strict one is
 * ordered with all others to the same process, regardless of what is received. */
footprint actor_send_footprint(uint32_t receiver, int32_t tag, uint32_t sender, uint32_t number,
                               bool strict, uint32_t *object);

/* False if the number is that of something else. */
bool actor_object_find(uint32_t number, actor_object *found);

void actor_object_close(void);

#endif
