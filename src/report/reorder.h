/* Makes the schedule of an error easier to read where reads need not return what was written last.
 * What was found is an execution graph, and its steps may be taken in every order in which each
 * comes after what it reads, what caused it, and what its thread did before. Of all these orders
 * one with the fewest switches is taken; and of the steps those only that come before the one that
 * fails and, if the error needs it, one other (the other access of a data race). Such a part of a
 * graph is consistent with the memory model if the graph is.
 *
 * Rejected: looking for other graphs with the same error, which the search for the error does. */
#ifndef HEDDLE_REPORT_REORDER_H
#define HEDDLE_REPORT_REORDER_H

#include "report/rerun.h"

/* The steps of the error become simpler, or stay. The rerun's error is this one. */
void reorder(rerun *, found_error *);

#endif
