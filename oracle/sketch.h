/* A program in the form in which programs are generated, shrunk and written down: per thread a flat
 * list of operations. Blocks are brackets in that list, so that removing an operation is removing
 * an element.
 *
 * Every operation speaks of the thread's last value (what its last read, fetch-add, exchange,
 * compare-and-swap, trylock, choice, timed wait or receive gave; 0 at first), as in the one-line
 * notation, which print.h prefers; what that cannot say is written in the .heddle language. Tests
 * never run a sketch directly: they run what the parsers make of its text, so that each failure can
 * be kept and replayed as a line of text. */
#ifndef HEDDLE_ORACLE_SKETCH_H
#define HEDDLE_ORACLE_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

#define SKETCH_THREADS   6
#define SKETCH_OPS       32
#define SKETCH_VARIABLES 6
#define SKETCH_ARRAY     2 /* elements of the array a */
#define SKETCH_TAGS      3

enum sketch_kind {
    SKETCH_READ,
    SKETCH_WRITE,    /* value */
    SKETCH_ADD,      /* value */
    SKETCH_EXCHANGE, /* value; only in the language */
    SKETCH_CAS,      /* expected, value; only in the language if expected is not 0 */
    SKETCH_AWAIT,    /* compare, value; only in the language if compare is not = */
    SKETCH_FILL,     /* cell: a range of the block, value; only in the language */
    SKETCH_COPY,     /* cell: a pair of ranges of the block; only in the language */
    SKETCH_LOCK,
    SKETCH_UNLOCK,
    SKETCH_TRY_SECTION, /* trylock and, if obtained, unlock; not the last value */
    SKETCH_TRYLOCK,
    SKETCH_INIT, /* a mutex */
    SKETCH_DESTROY,
    SKETCH_INIT_CONDITION,
    SKETCH_DESTROY_CONDITION,
    SKETCH_WAIT, /* cell: condition, mutex */
    SKETCH_TIMED_WAIT,
    SKETCH_SIGNAL,
    SKETCH_BROADCAST,
    SKETCH_CHOOSE, /* value: how many */
    SKETCH_SPAWN,  /* cell: thread */
    SKETCH_JOIN,
    SKETCH_SEND,    /* cell: thread, value: tag, 1 to SKETCH_TAGS; adds_last: with the last value */
    SKETCH_RECEIVE, /* value: set of tags, tag 1 being bit 0, or 0 for anything; the last value is
                       the tag, or, if adds_last, the value */
    SKETCH_POLL,    /* the same, after 0 */
    SKETCH_SEMAPHORE_WAIT,
    SKETCH_SEMAPHORE_TRY,
    SKETCH_POST,
    SKETCH_READ_LOCK,
    SKETCH_WRITE_LOCK,
    SKETCH_RELEASE,
    SKETCH_TRY_READ, /* and unlock, if obtained; not the last value */
    SKETCH_TRY_WRITE,
    SKETCH_BARRIER,
    SKETCH_ONCE, /* value: the variable that is initialised, or -1 */
    SKETCH_FENCE,
    SKETCH_ASSUME, /* the last value is not 0 */
    SKETCH_ASSERT, /* last value, compare, value; only in the language */
    SKETCH_ATOMIC, /* up to SKETCH_ATOMIC_END */
    SKETCH_ATOMIC_END,
    SKETCH_IF, /* last value, compare, value: up to ELSE or IF_END; only in the language */
    SKETCH_ELSE,
    SKETCH_IF_END,
    SKETCH_LOOP,     /* up to SKETCH_LOOP_END: again and again; only in the language */
    SKETCH_LOOP_END, /* until last value, compare, value; or, if `counted`, for the third time */
    SKETCH_KIND_COUNT,
};

enum sketch_guard { GUARD_NONE, GUARD_SET, GUARD_CLEAR }; /* `?` and `!` */

enum sketch_compare { COMPARE_EQUAL, COMPARE_NOT_EQUAL, COMPARE_LESS, COMPARE_GREATER };

typedef struct sketch_op {
    uint8_t kind;
    uint8_t guard;
    uint8_t cell; /* variable, mutex, condition or thread */
    uint8_t mutex;
    uint8_t compare;
    int8_t value, expected;
    uint8_t order, failure; /* enum access_order */
    bool adds_last;         /* a write writes last value + value; see SEND; only in the language */
    bool indexed;           /* a read or write accesses a[last value]; only in the language */
    bool counted;           /* of a loop: it ends after three rounds at the latest */
    bool block; /* a read or write accesses the block; cell: where; only in the language */
} sketch_op;

typedef struct sketch_thread {
    bool spawned; /* starts only when spawned */
    uint8_t count;
    sketch_op ops[SKETCH_OPS];
} sketch_thread;

/* Besides the variables: */
#define SKETCH_PLAIN_ARRAY ((uint8_t)1 << SKETCH_VARIABLES)
#define SKETCH_PLAIN_BLOCK ((uint8_t)2 << SKETCH_VARIABLES)

typedef struct sketch {
    uint8_t thread_count;
    uint8_t semaphore_value, barrier_size; /* of all of them */
    uint8_t plain;                         /* variables, as a set of bits */
    sketch_thread threads[SKETCH_THREADS];
} sketch;

/* The block: an array so large that a step on a part of it touches more cells than anything that is
 * kept in a word, or a small table, could hold. Its ranges overlap in part, and single accesses are
 * to cells of some of them. */
#define SKETCH_BLOCK 150

typedef struct sketch_range {
    uint8_t from, to;
} sketch_range;

enum { SKETCH_RANGES = 5, SKETCH_COPIES = 4, SKETCH_SPOTS = 4 };

extern const sketch_range sketch_ranges[SKETCH_RANGES];
extern const struct sketch_copy { uint8_t to, from; /* ranges */ } sketch_copies[SKETCH_COPIES];
extern const uint8_t sketch_spots[SKETCH_SPOTS];

/* The bracket that closes the one at `at` (for ATOMIC, IF and ELSE). */
uint32_t sketch_closing(const sketch_thread *, uint32_t at);

void sketch_remove_op(sketch_thread *, uint32_t at);

/* Also removes what spawns or joins it, and renumbers the others. */
void sketch_remove_thread(sketch *, uint32_t thread);

/* The one-line notation can say it. */
bool sketch_is_oneline(const sketch *);

#endif
