/* Whether this heddle is one of several that explore together, perhaps on several machines.
 *
 * heddle-mpi (src/mpi) starts one heddle on each rank, all with the same command line and the same
 * environment, so that the program finds the same memory everywhere. Rank 0 does what the user
 * wants; the others work for it (remote.h). HEDDLE_RANK has the number of this one, and the
 * descriptors from RANKS_FIRST_WIRE on are the connections (supervise/wire.h): on rank 0 to all
 * others, on those to rank 0. */
#ifndef HEDDLE_CLI_RANKS_H
#define HEDDLE_CLI_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#define RANKS_VARIABLE "HEDDLE_RANK"
#define RANKS_FORMAT   "%05u %05u %05u" /* of the same length for all: rank, count, here */

enum { RANKS_FIRST_WIRE = 3, RANKS_MOST = 10000 };

typedef struct ranks {
    uint32_t rank, count;  /* the latter 0: this heddle is alone */
    uint32_t here;         /* how many are on this machine */
    uint32_t *generations; /* on rank 0: of the connections */
} ranks;

extern ranks all_ranks;

/* At the start. False: the variable is invalid. */
bool ranks_open(void);

/* Other ranks, on rank 0. */
static inline uint32_t ranks_others(void) {
    return all_ranks.count && all_ranks.rank == 0 ? all_ranks.count - 1 : 0;
}

/* On rank 0: the connection to another rank, with a new generation there. */
int ranks_wire(uint32_t rank);
uint32_t ranks_next_generation(uint32_t rank);

/* Ends the process that works there. */
void ranks_cancel(uint32_t rank);

/* The other rank can be reached. */
bool ranks_has(uint32_t rank);

#endif
