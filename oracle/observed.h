/* The equivalence that observers give (TACAS 2018): two writes are ordered only if the later one is
 * read before it is overwritten. Coarser than the traces of trace.h.
 *
 * Happens-before, naively, of a maximal execution: program order, creation, join and waker edges;
 * all operations on one mutex or condition, and conflicting ones on a cell that is awaited; a write
 * and the read that reads it; a read and every later write of its cell; a write and a later write
 * of the same cell if the later one is observed or the two steps write different sets of cells. A
 * read-modify-write is a read and a write. The final memory is not observed.
 *
 * A message and a later one to the same mailbox are ordered if a receive takes the first and could
 * have taken the second, that is, it matches the pattern and no earlier receive takes it. Other
 * messages are not ordered; the rest is as in trace.h. */
#ifndef HEDDLE_ORACLE_OBSERVED_H
#define HEDDLE_ORACLE_OBSERVED_H

#include "oracle/trace.h"

/* The class of a maximal execution. */
hash observed_hash(const trace *, const program *, const cell_set *awaited);

#endif
