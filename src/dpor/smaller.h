/* A step that waits for several objects at once – a thread that polls a variable under a mutex, or
 * takes one lock and tries another – can be blocked by two threads, each of which changes one of
 * them: before the change of the one it is still blocked by the other, so reversing one race at a
 * time never lets it continue. All writes to a single object that come after e happen after e, so
 * that notdep(e,E) has none of them; of another object it may have any.
 *
 * If such a step is blocked after E'.notdep(e,E), it is tried after less: without the last event
 * that it conflicts with and what happens after that, then without another one, and so on. Where it
 * can continue, nothing more is left out: if it could also continue after still less, it races
 * there with what is too much. At most as many places are tried as there are states of these
 * objects together. */
#ifndef HEDDLE_DPOR_SMALLER_H
#define HEDDLE_DPOR_SMALLER_H

#include "dpor/reversal.h"

/* Whether a step has to be tried after less. */
static inline bool smaller_is_needed(const operation *op) {
    return !operation_enabled(op) && operation_blocks(op) && footprint_is_set(op->footprint);
}

/* Tries the step after E'.notdep(e,E) as the reversal has it now; true: it can continue there. */
typedef bool smaller_try(void *context);

/* Visits these places for the next step of `thread`, which accesses that. Restores the reversal. */
void smaller_visit(reversal *, uint32_t thread, footprint, smaller_try *, void *context);

#endif
