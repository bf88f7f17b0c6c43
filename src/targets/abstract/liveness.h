/* Which registers of a thread matter where it stands, because they may be read before they are
 * written again. */
#ifndef HEDDLE_TARGETS_ABSTRACT_LIVENESS_H
#define HEDDLE_TARGETS_ABSTRACT_LIVENESS_H

#include "targets/abstract/program.h"

typedef struct liveness {
    VECTOR(bool) live;           /* a row of registers per instruction, thread by thread */
    VECTOR(uint32_t) first_rows; /* of each thread: where its rows begin in `live` */
} liveness;

void liveness_compute(liveness *, const program *);
void liveness_free(liveness *);

/* The registers that matter when the thread stands before that instruction. */
static inline const bool *liveness_at(const liveness *l, const program *p, uint32_t thread,
                                      uint32_t instruction) {
    return l->live.items + vector_at(&l->first_rows, thread) +
           instruction * vector_at(&p->threads, thread).register_count;
}

#endif
