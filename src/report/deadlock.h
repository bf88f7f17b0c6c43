/* Explains a deadlock: who waits for what, since when, and who holds it. All of it is read off the
 * finding (report/holders.h), so that every target gets it without a word of its own. */
#ifndef HEDDLE_REPORT_DEADLOCK_H
#define HEDDLE_REPORT_DEADLOCK_H

#include "report/finding.h"

/* Where it is: where the first thread stands that waits for something else than the end of another
 * one. */
uint32_t deadlock_place(const finding *);

/* "deadlock: p waits for m1, held by q; q waits for m0, held by p": one line. */
void deadlock_message(const finding *, text *out);

/* "waits for m1, held by q": what a thread that cannot continue waits for, in few words. */
void deadlock_wait(const finding *, uint32_t index, text *out);

/* Appends sentence number `index` of the explanation: what a blocked thread waits for, with steps
 * and places, or at last the cycle if there is one. */
void deadlock_sentence(const finding *, uint32_t index, text *out);
uint32_t deadlock_sentence_count(const finding *);

#endif
