/* Which stronger memory orders, or fences, would forbid an error that a weak memory model has:
 * found by trying them out on the program.
 *
 * Memory orders cannot prevent an error that also occurs under sequential consistency. Otherwise
 * one change, of one order or by one fence, is looked for; if none is enough, all orders of the
 * accesses that led to the error are made as strong as possible, and then weakened again one by one
 * as long as the error does not occur. None of the remaining changes can be left out, though a
 * smaller set of other changes might be enough.
 *
 * "Does not occur" means that all executions of the changed program were explored without it. The
 * work is bounded; what could not be explored within the bound does not count. */
#ifndef HEDDLE_REPORT_HINT_H
#define HEDDLE_REPORT_HINT_H

#include <signal.h>

#include "base/settings.h"
#include "report/collector.h"

typedef struct hint_request {
    target *target;
    const strategy_class *algorithm; /* explores memory models */
    enum memory_model model;
    uint64_t max_steps; /* of an execution */
    volatile sig_atomic_t *interrupt;
} hint_request;

/* Appends a sentence, or nothing. The target has to be reset afterwards. */
void hint_find(const hint_request *, const found_error *, text *out);

#endif
