/* A connection between a heddle and one that works for it, perhaps on another machine.
 *
 * It is a socket of packets (SOCK_SEQPACKET), which somebody carries to the other end: heddle-mpi
 * does (src/mpi), and knows nothing of what is in them. Packets arrive whole, once, and in order.
 *
 * One process after the other works at the far end, so a packet begins with the number of that
 * process, its generation. In each generation the packets are a stream of messages (message.h),
 * cut anywhere. A packet of a later generation is the end of the one before, whatever was left of
 * it: whoever sends may be killed between any two packets. */
#ifndef HEDDLE_SUPERVISE_WIRE_H
#define HEDDLE_SUPERVISE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/message.h"

enum { WIRE_PACKET_MOST = 1 << 15 }; /* bytes, the generation included */

typedef struct wire {
    int descriptor;
    uint32_t generation;
    uint32_t sequence; /* of what is sent */
    inbox inbox;       /* of what comes in this generation */
} wire;

/* Begins with a generation. */
void wire_open(wire *, int descriptor, uint32_t generation);
void wire_free(wire *);

/* Waits until there is room. False: there is nobody at the other end. */
bool wire_send(wire *, enum message_type, const bytes *content);

/* A generation in which nothing is sent: the process before is to end. */
void wire_cancel(int descriptor, uint32_t generation);

/* Reads what is there without waiting, up to the first packet of a later generation, which becomes
 * the current one. False: there is nobody at the other end. */
bool wire_read(wire *);

/* There is somebody at the other end. */
bool wire_is_open(int descriptor);

#endif
