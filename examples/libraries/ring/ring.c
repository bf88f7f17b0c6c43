#include "ring.h"

void ring_init(ring *r) {
    r->head = 0;
    atomic_init(&r->tail, 0);
    for (unsigned i = 0; i < RING_SIZE; i++) {
        atomic_init(&r->slots[i].turn, i);
    }
}

/* The slot at the tail, which is then the caller's to write; false: the ring is full. */
static bool claim(ring *r, unsigned *at) {
    *at = atomic_load(&r->tail);
    for (;;) {
        int ahead = (int)(atomic_load(&r->slots[*at % RING_SIZE].turn) - *at);
        if (ahead < 0) {
            return false;
        }
        if (ahead > 0) { /* another producer was faster */
            *at = atomic_load(&r->tail);
        } else if (atomic_compare_exchange_strong(&r->tail, at, *at + 1)) {
            return true;
        }
    }
}

bool ring_push(ring *r, int value) {
    unsigned at;
    if (!claim(r, &at)) {
        return false;
    }
#ifdef PUBLISH_EARLY
    atomic_store(&r->slots[at % RING_SIZE].turn, at + 1);
    r->slots[at % RING_SIZE].value = value;
#else
    r->slots[at % RING_SIZE].value = value;
    atomic_store(&r->slots[at % RING_SIZE].turn, at + 1);
#endif
    return true;
}

bool ring_pop(ring *r, int *value) {
    unsigned at = r->head;
    if (atomic_load(&r->slots[at % RING_SIZE].turn) != at + 1) {
        return false;
    }
    *value = r->slots[at % RING_SIZE].value;
    atomic_store(&r->slots[at % RING_SIZE].turn, at + RING_SIZE);
    r->head++;
    return true;
}
