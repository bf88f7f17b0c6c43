/* Other model checkers, where they are installed, on the same C programs in the same run. */
#ifndef HEDDLE_BENCH_PEERS_H
#define HEDDLE_BENCH_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/child.h"
#include "bench/rows.h"

enum peer { PEER_NIDHUGG, PEER_GENMC, PEER_COUNT };

const char *peer_name(enum peer);

/* On the PATH. */
bool peer_is_there(enum peer);

typedef struct peer_figures {
    bool ran;           /* the rest is valid */
    enum child_end end; /* CHILD_FAILED also if its output was not understood */
    uint64_t executions, blocked;
    double seconds; /* least of the repetitions */
    uint64_t peak_bytes;
} peer_figures;

/* Its options can be set with NIDHUGG_FLAGS and GENMC_FLAGS. Nidhugg takes what clang makes of the
 * program, which is not counted; GenMC compiles by itself, which is. */
void peer_measure(enum peer, const row *, uint32_t repeat, uint32_t most_seconds, peer_figures *);

#endif
