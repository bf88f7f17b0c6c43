/* Explains a deadlock: who waits for what, since when, and who holds it. All of it follows from the
 * finding (report/holders.h), so that no target has to provide anything. */
#ifndef HEDDLE_REPORT_DEADLOCK_H
#define HEDDLE_REPORT_DEADLOCK_H

#include "report/finding.h"

/* The place of a deadlock: where the first thread is that waits for something other than the end of
 * a thread. */
uint32_t deadlock_place(const finding *);

/* "deadlock: p waits for m1, held by q; q waits for m0, held by p": one line. */
void deadlock_message(const finding *, text *out);

/* "waits for m1, held by q": what a blocked thread waits for, briefly. */
void deadlock_wait(const finding *, uint32_t index, text *out);

/* The step that made a blocked thread a waiter for a signal that has not come; FINDING_NO_STEP if
 * it waits for something else. */
uint32_t deadlock_waits_since(const finding *, const finding_wait *);

/* Appends sentence number `index` of the explanation: what a blocked thread waits for, with steps
 * and places, or finally the cycle, if there is one. */
void deadlock_sentence(const finding *, uint32_t index, text *out);
uint32_t deadlock_sentence_count(const finding *);

#endif
