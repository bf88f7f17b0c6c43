/* Happens-before of a trace under a weak memory model: that of C11, by which races are judged under
 * every model. Accesses to memory conflict in the order in which they are taken, which says nothing
 * there; instead, a read that acquires comes after the writes that it synchronises with. What a
 * read has read is kept as well (it need not happen before the read).
 *
 * The order of other objects stays as it is, but what orders nothing in C11 (an attempt that fails,
 * a signal) is not ordered. */
#ifndef HEDDLE_REPORT_TRACE_HAPPENS_H
#define HEDDLE_REPORT_TRACE_HAPPENS_H

#include "report/trace.h"

struct trace_happens *trace_happens_create(void);
void trace_happens_free(struct trace_happens *);

/* A copy of a pending operation, before its step is taken. */
void trace_happens_note(struct trace_happens *, const operation *);

/* The last step of the trace was taken: appends it to the execution. */
void trace_happens_append(trace *);

/* The write of another thread that the step has read, or UINT32_MAX. */
uint32_t trace_happens_source(const trace *, uint32_t index);

#endif
