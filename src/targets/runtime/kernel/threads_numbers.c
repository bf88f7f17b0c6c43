/* Numbers and names of threads, which outlive an execution. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/limit.h"
#include "base/vector.h"
#include "base/witness.h"
#include "targets/runtime/kernel/threads.h"

static VECTOR(uint32_t) children[RUNTIME_MAX_THREADS]; /* numbers, by creator and creation */
static uint32_t numbers;                               /* given out so far */
static uint64_t *registry; /* shared: by number, creator << 32 | creation; or NULL */
static uint64_t (*ask_elsewhere)(uint32_t number, uint64_t origin); /* has the registry; or NULL */

typedef struct thread_origin {
    uint32_t creator;
    uint32_t creation; /* starting at 1 */
} thread_origin;

static thread_origin origins[RUNTIME_MAX_THREADS] WITNESS;
WITNESS_ANNOUNCE(origins)

void threads_open_numbers(void) {
    numbers = 1;
}

void threads_close_numbers(void) {
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        vector_free(&children[i]);
    }
}

static void give_number(uint32_t creator) {
    CHECK(creator < numbers && numbers < RUNTIME_MAX_THREADS);
    origins[numbers].creator = creator;
    origins[numbers].creation = children[creator].count + 1;
    vector_push(&children[creator], numbers);
    numbers++;
}

void threads_share(uint64_t *words) {
    registry = words;
}

void threads_share_elsewhere(uint64_t (*ask)(uint32_t, uint64_t)) {
    ask_elsewhere = ask;
}

uint64_t threads_claim(uint32_t number, uint64_t origin) {
    uint64_t owner = 0;
    CHECK(number < RUNTIME_MAX_THREADS && origin != 0);
    if (ask_elsewhere) {
        return ask_elsewhere(number, origin);
    }
    bool free = !registry || __atomic_compare_exchange_n(&registry[number], &owner, origin, false,
                                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return free ? origin : owner;
}

/* Gives a number to the next child of the thread. If several processes give out numbers, then to
 * those first to which the others have given one. False if there are no more numbers. */
static bool number_child(uint32_t creator) {
    uint32_t creation = children[creator].count + 1;
    while (children[creator].count < creation) {
        if (numbers >= limit_most(LIMIT_THREADS)) {
            return false;
        }
        uint64_t next = threads_claim(numbers, (uint64_t)creator << 32 | creation);
        CHECK(next >> 32 < numbers && children[next >> 32].count + 1 == (uint32_t)next);
        give_number((uint32_t)(next >> 32));
    }
    return true;
}

static bool name_from(const thread_origin *from, uint32_t number, char *name, size_t size) {
    uint32_t path[RUNTIME_MAX_THREADS], depth = 0;
    for (; number != RUNTIME_MAIN; number = from[number].creator) {
        if (number >= RUNTIME_MAX_THREADS || depth == RUNTIME_MAX_THREADS ||
            !from[number].creation) {
            return false;
        }
        path[depth++] = from[number].creation;
    }
    size_t used = (size_t)snprintf(name, size, "%s", depth ? "T" : "main");
    for (uint32_t i = depth; i-- > 0 && used < size;) {
        used += (size_t)snprintf(name + used, size - used, i ? "%u." : "%u", path[i]);
    }
    return true;
}

bool threads_name(uint32_t number, char *name, size_t size) {
    return name_from(origins, number, name, size);
}

bool threads_name_of(const void *witness, uint32_t number, char *name, size_t size) {
    return name_from(witness_find(witness, origins), number, name, size);
}

void threads_describe(uint32_t number, FILE *out) {
    static char name[RUNTIME_MAX_THREADS * sizeof "1234"];
    CHECK(threads_name(number, name, sizeof name));
    fputs(name, out);
}

bool threads_expect(const char *name) {
    if (strcmp(name, "main") == 0) {
        return true;
    }
    uint32_t creator = RUNTIME_MAIN;
    for (char *end; *name == 'T' || *name == '.'; name = end) {
        unsigned long creation = strtoul(name + 1, &end, 10);
        if (end == name + 1 || creation == 0) {
            return false;
        }
        if (creation <= children[creator].count) {
            creator = vector_at(&children[creator], creation - 1);
        } else if (creation == children[creator].count + 1 && !*end) {
            return number_child(creator);
        } else {
            return false;
        }
    }
    return !*name;
}

uint32_t threads_known(void) {
    return numbers;
}

void threads_encode(bytes *out) {
    bytes_put_number(out, numbers);
    for (uint32_t i = RUNTIME_MAIN + 1; i < numbers; i++) {
        bytes_put_number(out, origins[i].creator);
        bytes_put_number(out, origins[i].creation);
    }
}

uint32_t threads_decode(byte_reader *r) {
    uint32_t count = (uint32_t)bytes_take_number(r, RUNTIME_MAX_THREADS);
    for (uint32_t i = RUNTIME_MAIN + 1; i < count && !r->failed; i++) {
        uint32_t creator = (uint32_t)bytes_take_number(r, i - 1);
        uint64_t creation = bytes_take_number(r, RUNTIME_MAX_THREADS);
        if (i >= numbers && creation == children[creator].count + 1) {
            number_child(creator);
        }
        r->failed = r->failed || i >= numbers || origins[i].creator != creator ||
                    origins[i].creation != creation;
    }
    return count;
}

bool threads_number_child(uint32_t creator, uint32_t creations, uint32_t *number) {
    if (creations == children[creator].count && !number_child(creator)) {
        return false;
    }
    CHECK(creations < children[creator].count);
    *number = vector_at(&children[creator], creations);
    CHECK(*number > creator && origins[*number].creator == creator);
    return true;
}
