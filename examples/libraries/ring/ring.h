/* A bounded ring of numbers, for many producers and one consumer, without locks. Each slot has a
 * sequence number that says whose turn it is. */
#ifndef RING_H
#define RING_H

#include <stdatomic.h>
#include <stdbool.h>

enum { RING_SIZE = 2 };

typedef struct ring {
    atomic_uint tail;
    unsigned head;
    struct {
        atomic_uint turn;
        int value;
    } slots[RING_SIZE];
} ring;

void ring_init(ring *);

/* False: it is full. */
bool ring_push(ring *, int value);

/* False: it is empty. */
bool ring_pop(ring *, int *value);

#endif
