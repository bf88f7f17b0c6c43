/* Executions that become much longer than others: a sign of a loop that changes something in every
 * iteration and need not end, so that the exploration has no end, either. Who interrupts it wants
 * to know which loop that is.
 *
 * An execution is looked at if it is twice as long as all before, so this costs a comparison per
 * execution. Rejected: looking at the last execution when the exploration is interrupted; it may
 * be a short one, or hardly have begun. */
#ifndef HEDDLE_REPORT_GROWTH_H
#define HEDDLE_REPORT_GROWTH_H

#include <stdint.h>

#include "base/text.h"
#include "explore/exploration.h"

typedef struct growth {
    uint32_t shortest;         /* steps of an execution, at least 1; 0: there was none */
    uint32_t longest;          /* of the execution that was looked at last; 0: none was */
    uint32_t thread, location; /* the step that occurs most often in it */
    uint32_t count;            /* and how often */
} growth;

/* At the end of each execution. */
void growth_note(growth *, const execution *);

/* Which loop that is and what may be done about it; nothing if executions are short, or
 * nearly the same length. */
void growth_describe(const growth *, target *, text *out);

#endif
