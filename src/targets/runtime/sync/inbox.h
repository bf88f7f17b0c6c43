/* Mailboxes: every thread has one, with the messages that it has been sent and has not taken yet,
 * in the order in which they were sent.
 *
 * Letters and their payloads lie one after the other in two vectors that a reset empties; what was
 * taken is not reused before. So nothing is allocated once they are large enough, and an execution
 * needs as much memory as it sends. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_INBOX_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_INBOX_H

#include <heddle/actor.h>

#include "base/vector.h"
#include "targets/runtime/kernel/runtime.h"

#define LETTER_NONE 0u

typedef struct letter {
    uint32_t next;  /* in its mailbox */
    uint32_t start; /* of the payload */
    uint32_t size;
    int32_t tag;
    uint32_t sender; /* a thread's number */
    uint32_t number; /* how many the sender had sent before */
    uint32_t events; /* of the sender, the send included */
    uint32_t clock;  /* row of the race detector */
} letter;

/* What a thread waits for: a copy of the program's pattern. */
typedef struct inbox_pattern {
    int tags[ACTOR_MAX_TAGS];
    uint32_t tag_count;
    actor sender;
    actor_predicate predicate;
    void *context;
    bool waits; /* forever */
} inbox_pattern;

typedef struct inbox {
    uint32_t first, last; /* letters that wait */
    uint32_t hand;        /* taken, on its way into the program's memory */
    uint32_t outgoing;    /* written, its send is still to come */

    /* Of the pending receive: nothing up to `scanned` matches; `found` does, or its predicate
       misbehaves when it is asked about it. That holds as long as inbox_past() is `past`. */
    uint32_t scanned, found;
    uint32_t past;
    bool misbehaves;
    bool shown;    /* the pending operation says so */
    uint32_t unit; /* of the log (undo.h), in which it was logged */

    struct inbox_process {
        inbox_pattern wanted;
        uint32_t sends; /* so far */
        void (*body)(void *);
        void *argument;
        bool spawned;
        bool monitored;
        int32_t monitor_tag;
    } process;
} inbox;

extern inbox inboxes[RUNTIME_MAX_THREADS];

/* How much there is: what comes later is given back (undo.h). */
typedef struct inbox_mark {
    uint32_t letters, payloads;
} inbox_mark;

void inbox_take_mark(inbox_mark *);
void inbox_go_back(const inbox_mark *);

/* How often the program went back. The second forgets what a pending receive would take. */
uint32_t inbox_past(void);
void inbox_forget_search(inbox *);

/* All there is, for undo_check.h. */
void inbox_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

void inbox_close(void);

/* Empties the mailboxes of all threads. */
void inbox_reset(void);

/* Every mailbox is a list of letters that were written, each with its payload; for debug builds. */
void inbox_check(void);

const letter *inbox_letter(uint32_t);
void *inbox_payload(const letter *);

/* Whether one more payload of that size can be kept in this execution. */
bool inbox_has_room(size_t size);

/* The mailbox, or the letter, is about to change. */
inbox *inbox_to_change(uint32_t thread);
letter *inbox_letter_to_change(uint32_t letter);

/* Writes a letter; the payload is the program's memory, and copying it may fault. */
uint32_t inbox_write(int32_t tag, const void *data, uint32_t size);

/* Appends the letter to the mailbox of a thread. */
void inbox_deliver(uint32_t thread, uint32_t letter);

/* Removes the letter from the mailbox, at any position. */
void inbox_remove(uint32_t thread, uint32_t letter);

/* The first letter after `scanned`. */
uint32_t inbox_unscanned(const inbox *);

/* Tag and sender match. */
bool inbox_fits(const inbox_pattern *, const letter *);

/* Parts of the state: what counts for equality, and the rest. A restore starts from empty ones. */
struct state_cursor;
void inbox_pass_visible(struct state_cursor *);
void inbox_pass_rest(struct state_cursor *);

#endif
