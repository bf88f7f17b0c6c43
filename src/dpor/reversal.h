/* The sequence v = notdep(e,E).p that reverses a race: after E' = pre(E,e) come the events of E
 * after e that do not happen after e, in their order, and then a step of thread p (JACM 2017,
 * section 3.3 and Algorithm 2, lines 4-5).
 *
 * The events of one thread in notdep(e,E) are an interval of its indices, because program order is
 * part of happens-before: so v is two numbers per thread and one last step, and "which of its
 * events are left" is one number per thread. Happens-before within v is that of E, except for the
 * last step, whose clock is computed for its new place. A predecessor of an event is inside what
 * is left of v iff the event's clock exceeds that number for some thread, which is one pass over a
 * clock instead of a search. */
#ifndef HEDDLE_DPOR_REVERSAL_H
#define HEDDLE_DPOR_REVERSAL_H

#include "core/execution.h"

typedef struct reversal {
    const execution *execution;
    uint32_t position;       /* of e; E' is what comes before it */
    VECTOR(uint32_t) events; /* positions of the events of notdep(e,E), ascending */
    bool has_events;         /* if not, call reversal_find_events first */
    VECTOR(uint32_t) begin;  /* per thread: events in E' */
    VECTOR(uint32_t) end;    /* per thread: events in E'.notdep(e,E) */
    VECTOR(uint32_t) next;   /* per thread: the first of its events that is left of v */
    VECTOR(uint32_t) after;  /* first event of each thread that happens after e: positions */
    VECTOR(bool) closed;
    bool last_left;
    uint32_t last_thread, last_choice;
    footprint last_footprint;
    const cause *last_causes;
    uint32_t last_cause_count;
    bool has_last_clock; /* it is computed on first use */
    VECTOR(uint32_t) last_clock;
} reversal;

void reversal_init(reversal *);
void reversal_free(reversal *);

/* Starts at the end of the execution: events can now be opened from right to left. */
void reversal_start(reversal *, const execution *);

/* E' and notdep(e,E) for the event at `position`; v has no last step yet. Also finds, in `after`,
 * for every other thread its first event that happens after e. */
void reversal_open(reversal *, uint32_t position);

/* E'.notdep(e,E) is a prefix of each thread's events, none of which happens after e, and all others
 * do; for callers that open events by the order of the execution, in debug builds. */
void reversal_check(const reversal *);

/* Fills `events` from `end`, unless that was done: for callers that open an event by another
 * happens-before. */
void reversal_find_events(reversal *);

/* Makes the execution E'.notdep(e,E), after which the last step is to be taken. */
void reversal_copy_before_last(const reversal *, execution *);

/* All causes are in E'.notdep(e,E). */
bool reversal_has_causes(const reversal *, const cause *causes, uint32_t count);

/* Removes the event at `position` from notdep(e,E), with everything there that happens after it.
 * Until the next event is opened, v is made from what is left. */
void reversal_leave_out(reversal *, uint32_t position);

/* A copy of notdep(e,E), to restore it after something was removed. */
typedef struct saved_reversal {
    VECTOR(uint32_t) events, end;
} saved_reversal;

void reversal_save(const reversal *, saved_reversal *);
void reversal_restore(reversal *, const saved_reversal *);
void saved_reversal_free(saved_reversal *);

/* Gives v its last step, as it is after E'.notdep(e,E), and resets v to the whole sequence. The
 * causes of the operation are borrowed while the reversal is in use. */
void reversal_set_last(reversal *, uint32_t thread, uint32_t choice, const operation *);

/* What happens before the last step, per thread. */
const uint32_t *reversal_last_clock(reversal *);

/* How a step relates to what is left of v. */
enum initial {
    INITIAL_NOT,
    INITIAL_INSIDE,  /* it is the first step of its thread in v and has no predecessor in v */
    INITIAL_OUTSIDE, /* its thread has no step in v and it is independent of all of v */
};

/* Whether the step is a weak initial of what is left of v (JACM 2017, Definition 4.1; Lemma 4.6).
 * INITIAL_INSIDE makes it an initial. */
enum initial reversal_initial(reversal *, uint32_t thread, uint32_t choice, footprint);

/* Removes the first step of that thread from v. */
void reversal_remove(reversal *, uint32_t thread);

/* Visits what is left of v in order: *at starts at 0; false at the end. The position is
 * POSITION_NONE for the last step. */
bool reversal_left(const reversal *, uint32_t *at, uint32_t *position);

#endif
