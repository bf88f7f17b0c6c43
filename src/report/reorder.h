/* Makes the schedule of an error easier to read where reads need not return what was written last.
 * An execution graph was found; its steps may be taken in every order in which each comes after
 * what it reads, what caused it, and the earlier steps of its thread. An order with the fewest
 * switches is chosen, with only those steps that come before the step that fails and, if the error
 * needs it, before one other (the other access of a data race). Such a part of a graph is
 * consistent with the memory model if the graph is.
 *
 * Rejected: looking for other graphs with the same error, which the search for the error does. */
#ifndef HEDDLE_REPORT_REORDER_H
#define HEDDLE_REPORT_REORDER_H

#include "report/rerun.h"

/* Simplifies the steps of the error if possible. It must be the rerun's error. */
void reorder(rerun *, found_error *);

#endif
