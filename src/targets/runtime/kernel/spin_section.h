/* Sections of loops: what a thread takes, looks at and gives back is one step of a round (spin.h),
 * and what takes the first lock waits, looking ahead to where the last one is given back
 * (docs/ALGORITHMS.md, "Spin loops").
 *
 * Between the first lock and the last unlock there may be further locks that are free, tries that
 * succeed, and one operation that looks at what others change: a try that fails, a read. With two
 * of those, others may come in between, and what the first has seen would be lost. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_SECTION_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_SECTION_H

#include "targets/runtime/kernel/spin_table.h"

/* An operation that a void round may consist of, and that a thread may wait in. */
bool spin_is_void_kind(const runtime_thread *);

/* The step has an error that is found only if it is taken, or none. */
bool spin_fails(const step_result *);

/* While something is tried: takes a step of the thread, from one operation to the next; what takes
 * a lock continues to where everything is given back, and the outcome has what it held and whether
 * it waits forever. False: it has an effect, or may have. */
bool spin_section_step(runtime_thread *, uint32_t choice);
bool spin_section_run(runtime_thread *, uint32_t choice, spin_outcome *);

/* Some operation of the section that the outcome describes looks at something. */
bool spin_section_looks(const spin_outcome *);

/* The thread stands before a try of the same step: see spin_step. */
bool spin_section_tries(const runtime_thread *);

/* Whether the pending operation is enabled depends on what the outcome, if it is known, has looked
 * at, and on what it has looked at in other states, which this one may not show: adds that to its
 * footprint. spin_section_narrow removes it again. */
void spin_section_widen(runtime_thread *, const spin_outcome *);
void spin_section_narrow(runtime_thread *);

/* A step that takes several locks finds out for each whether it is free, but only one can be noted
 * as acquired. So an operation that waits for one of these locks varies: it is probed wherever it
 * is moved. */
void spin_section_loosen(runtime_thread *);

#endif
