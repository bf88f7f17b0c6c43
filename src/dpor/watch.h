/* Watches: what replaces sleep sets where happens-before depends on observers (TACAS 2018).
 *
 * A watch answers Definition 3 (redundant sequences) in one pass over the sequence. A watched step
 * is one that was explored completely after some prefix. From there on,
 * - an event that is ordered with it unconditionally ends the watch;
 * - a write that is ordered with it only if observed makes it conditional: should the step occur
 *   later, it has a predecessor iff its own write is then observed;
 * - if the step occurs and is not conditional, the sequence is redundant; if it is conditional, it
 *   owes an observation: its write has to be read before it is overwritten;
 * - a sequence that ends with a watched step, or with an observation owed, is redundant.
 * With messages, the observer is the receive that takes an earlier message although the later one
 * would do as well: the watch of a send ends when a message that was sent since is taken that way;
 * if the send occurs while such messages wait, it owes that one of them is taken before it, by a
 * receive that it matches. */
#ifndef HEDDLE_DPOR_WATCH_H
#define HEDDLE_DPOR_WATCH_H

#include "base/vector.h"
#include "dpor/messages.h"
#include "dpor/sequence.h"

typedef struct watched_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
    uint32_t start; /* the time of the watch when it began */
    bool conditional;
} watched_step;

/* A send that has occurred: a message that was sent between `start` and the send has to be taken
 * before it. */
typedef struct send_debt {
    uint32_t start;
    sent_message sent;
} send_debt;

/* The watches of one prefix, or of a sequence that is being tested. */
typedef struct watch {
    uint32_t clock; /* the number of steps seen */
    VECTOR(watched_step) steps;
    VECTOR(footprint) debts; /* writes that have to be read */
    VECTOR(send_debt) send_debts;
    message_list mail;
} watch;

void watch_free(watch *);
/* Stops watching, but keeps the messages. */
void watch_forget(watch *);
void watch_copy(watch *, const watch *from);
void watch_add(watch *, uint32_t thread, uint32_t choice, footprint);

/* Nothing is watched, owed or waiting since a later time than now, and every observation owed is
 * still possible; for debug builds. */
void watch_check(const watch *);

/* A step happens. True: the sequence is redundant, whatever follows. */
bool watch_pass(watch *, uint32_t thread, uint32_t choice, footprint);

/* The sequence is redundant if nothing follows. */
static inline bool watch_left(const watch *w) {
    return w->steps.count || w->debts.count || w->send_debts.count;
}

/* Whether the sequence is redundant according to the watch, which is used up. */
bool watch_covers(watch *, const step_sequence *);

/* ---- one watch per prefix of the current execution ---- */

typedef struct watch_stack {
    VECTOR(watch) watches; /* by length of the prefix; those beyond `depth` keep their memory */
    uint32_t depth;
} watch_stack;

void watch_stack_init(watch_stack *); /* with the empty watch of the empty prefix */
void watch_stack_free(watch_stack *);

/* Makes the watch of the prefix that is longer by `taken`. */
void watch_stack_descend(watch_stack *, const event *taken);

/* Goes back to the prefix of that length, after which `done` was explored completely. */
void watch_stack_ascend(watch_stack *, uint32_t length, const event *done);

static inline const watch *watch_stack_at(const watch_stack *s, uint32_t length) {
    DEBUG_CHECK(length < s->depth);
    return &vector_at(&s->watches, length);
}

#endif
