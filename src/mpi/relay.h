/* Carries packets between heddles over MPI: from rank 0's connections to their ranks, and back.
 * Each direction ends with an empty message, after which nothing comes.
 *
 * What comes from MPI is always taken, and kept until the heddle here has room for it; what comes
 * from the heddle is taken when the last packet to that rank has been sent. So there is no
 * deadlock, and a heddle that produces too much waits. Calls that wait inside MPI would use a core
 * that belongs to the exploration: messages are polled, with pauses of at most LONGEST_PAUSE. */
#ifndef HEDDLE_MPI_RELAY_H
#define HEDDLE_MPI_RELAY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "supervise/wire.h"

typedef struct relay_packet {
    struct relay_packet *next;
    size_t size;
    char content[];
} relay_packet;

/* One connection of the heddle here, and the rank at its other end. */
typedef struct relay_link {
    int rank;
    int descriptor; /* -1: closed */
    bool sent_last, received_last;
    bool sending;
    MPI_Request request;
    char outgoing[WIRE_PACKET_MOST];
    relay_packet *first, *last; /* that have come and wait for room */
} relay_link;

typedef struct relay {
    int rank, count; /* of links */
    relay_link *links;
    pid_t heddle;
    bool ended;      /* it has, */
    double ended_at; /* as was seen then (MPI_Wtime), */
    int status;      /* with that exit status */
    int signals;
} relay;

/* SIGINT and SIGTERM are only for rank 0's heddle. */
void relay_block_signals(void);

/* False: out of memory. The caller fills in the descriptors. */
bool relay_open(relay *, int rank, int ranks);

/* Runs until both ends of all connections are closed and heddle has ended. Returns its exit
 * status. */
int relay_run(relay *);

#endif
