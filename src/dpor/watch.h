/* Watches: what replaces sleep sets where happens-before depends on observers (TACAS 2018).
 *
 * A watch answers Definition 3 (redundant sequences) in one pass over the sequence. A watched step
 * is one that was explored to its end after some prefix. Continuing from there,
 * - an event that is ordered with it unconditionally ends the watch;
 * - a write that is ordered with it only if observed makes it conditional: should the step occur
 *   later, it has a predecessor iff its own write is then observed;
 * - if the step occurs and is not conditional, the sequence is redundant; if it is conditional, it
 *   owes an observation: its write has to be read before it is overwritten;
 * - a sequence that ends with a watched step, or with an observation owed, is redundant.
 * With messages, the observer is the receive that takes an earlier message although the later one
 * would do as well: a watched send ends when a message that was sent since is so taken; if the send
 * occurs while such messages wait, it owes that one of them is taken before it, by a receive that
 * it matches. */
#ifndef HEDDLE_DPOR_WATCH_H
#define HEDDLE_DPOR_WATCH_H

#include "base/vector.h"
#include "dpor/messages.h"
#include "dpor/sequence.h"

typedef struct watched_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
    uint32_t start; /* the watch's clock when it began */
    bool conditional;
} watched_step;

/* A send that has occurred: a message sent between `start` and it has to be taken before it. */
typedef struct send_debt {
    uint32_t start;
    sent_message sent;
} send_debt;

/* The watches of one prefix, or of a sequence on trial. */
typedef struct watch {
    uint32_t clock; /* counts the steps that were seen */
    VECTOR(watched_step) steps;
    VECTOR(footprint) debts; /* writes that have to be read */
    VECTOR(send_debt) send_debts;
    message_list mail;
} watch;

void watch_free(watch *);
/* Watches nothing from now on, but keeps the mail. */
void watch_forget(watch *);
void watch_copy(watch *, const watch *from);
void watch_add(watch *, uint32_t thread, uint32_t choice, footprint);

/* Nothing is watched, owed or waiting since later than now, and nothing is owed that cannot be
 * paid; for debug builds. */
void watch_check(const watch *);

/* A step happens. True: whatever follows, it is redundant. */
bool watch_pass(watch *, uint32_t thread, uint32_t choice, footprint);

/* Nothing follows: it is redundant as it stands. */
static inline bool watch_left(const watch *w) {
    return w->steps.count || w->debts.count || w->send_debts.count;
}

/* The sequence is redundant as the watch, which is used up, has it. */
bool watch_covers(watch *, const step_sequence *);

/* ---- one watch per prefix of the current execution ---- */

typedef struct watch_stack {
    VECTOR(watch) watches; /* by length of the prefix; those beyond `depth` keep their memory */
    uint32_t depth;
} watch_stack;

void watch_stack_init(watch_stack *); /* with the empty watch of the empty prefix */
void watch_stack_free(watch_stack *);

/* The watch of the prefix that is longer by `taken`. */
void watch_stack_descend(watch_stack *, const event *taken);

/* Back to the prefix of that length, after which `done` was explored to its end. */
void watch_stack_ascend(watch_stack *, uint32_t length, const event *done);

static inline const watch *watch_stack_at(const watch_stack *s, uint32_t length) {
    DEBUG_CHECK(length < s->depth);
    return &vector_at(&s->watches, length);
}

#endif
