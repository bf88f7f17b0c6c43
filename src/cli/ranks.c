#define _GNU_SOURCE
#include "cli/ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/check.h"
#include "base/memory.h"
#include "supervise/wire.h"

ranks all_ranks;

static bool parse(const char *string, ranks *r) {
    char rest;
    return sscanf(string, RANKS_FORMAT "%c", &r->rank, &r->count, &r->here, &rest) == 3 &&
           r->count <= RANKS_MOST && r->rank < r->count && r->here && r->here <= r->count;
}

/* If the parent process has ended, the others cannot be reached. */
static void end_with_parent(void) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

bool ranks_open(void) {
    const char *string = getenv(RANKS_VARIABLE);
    if (!string) {
        return true;
    }
    ranks *r = &all_ranks;
    bool good = parse(string, r);
    unsetenv(RANKS_VARIABLE);
    uint32_t wires = !good ? 0 : r->rank ? 1 : r->count - 1;
    for (uint32_t i = 0; i < wires; i++) {
        int descriptor = RANKS_FIRST_WIRE + (int)i;
        good = good && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
    }
    if (good && !r->rank) {
        r->generations = memory_resize(NULL, 0, r->count * sizeof *r->generations);
    }
    end_with_parent();
    return good;
}

int ranks_wire(uint32_t rank) {
    CHECK(rank && rank < all_ranks.count && !all_ranks.rank);
    return RANKS_FIRST_WIRE + (int)rank - 1;
}

uint32_t ranks_next_generation(uint32_t rank) {
    CHECK(rank && rank < all_ranks.count && !all_ranks.rank);
    return ++all_ranks.generations[rank];
}

void ranks_cancel(uint32_t rank) {
    wire_cancel(ranks_wire(rank), ranks_next_generation(rank));
}

bool ranks_has(uint32_t rank) {
    return wire_is_open(ranks_wire(rank));
}
