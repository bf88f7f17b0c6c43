/* A connection between a heddle and one that works for it, perhaps on another machine.
 *
 * It is a socket of packets (SOCK_SEQPACKET), which another process carries to the other end:
 * heddle-mpi (src/mpi), which knows nothing about their contents. Packets arrive whole, once, and
 * in order.
 *
 * Processes work at the far end one after the other, so a packet begins with the number of the
 * process, its generation. In each generation the packets are a stream of messages (message.h), cut
 * anywhere. A packet of a later generation ends the previous one, whatever was left of it: the
 * sender may be killed between any two packets. */
#ifndef HEDDLE_SUPERVISE_WIRE_H
#define HEDDLE_SUPERVISE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/message.h"

enum { WIRE_PACKET_MOST = 1 << 15 }; /* bytes, including the generation */

typedef struct wire {
    int descriptor;
    uint32_t generation;
    uint32_t sequence; /* of what is sent */
    inbox inbox;       /* of what comes in this generation */
} wire;

/* Starts with a generation. */
void wire_open(wire *, int descriptor, uint32_t generation);
void wire_free(wire *);

/* Waits until there is room. False: the other end is closed. */
bool wire_send(wire *, enum message_type, const bytes *content);

/* Starts a generation in which nothing is sent: the previous process has to end. */
void wire_cancel(int descriptor, uint32_t generation);

/* Reads what is available without waiting, up to the first packet of a later generation, which
 * becomes the current one. False: the other end is closed. */
bool wire_read(wire *);

/* The other end is open. */
bool wire_is_open(int descriptor);

#endif
