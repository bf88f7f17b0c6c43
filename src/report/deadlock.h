/* Explains a deadlock: who waits for what, since when, and who holds it. All of it is read off the
 * finding (the last acquisition of a mutex without an unlock after it), so that every target gets
 * it without a word of its own. */
#ifndef HEDDLE_REPORT_DEADLOCK_H
#define HEDDLE_REPORT_DEADLOCK_H

#include <stdio.h>

#include "report/finding.h"

/* "deadlock: p waits for m1, held by q; q waits for m0, held by p": one line. */
void deadlock_message(const finding *, text *out);

/* One line for every waiting thread with steps and source places, then the circle if there is. */
void deadlock_explain(const finding *, FILE *out);

#endif
