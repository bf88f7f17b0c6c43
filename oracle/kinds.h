/* The kinds of generated programs: one table, which says what a program of each kind is made of.
 * Sizes are chosen so that brute force takes a few milliseconds and a third has over 50 traces. */
#ifndef HEDDLE_ORACLE_KINDS_H
#define HEDDLE_ORACLE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* What a thread is made of: mostly single operations, some of them whole patterns. */
#define ITEMS(X)   \
    X(read)        \
    X(write)       \
    X(add)         \
    X(cas)         \
    X(exchange)    \
    X(await)       \
    X(fill)        \
    X(copy)        \
    X(spot)        \
    X(section)     \
    X(tries)       \
    X(keeps)       \
    X(init)        \
    X(destroy)     \
    X(renew)       \
    X(wait)        \
    X(timed_wait)  \
    X(signal)      \
    X(broadcast)   \
    X(choose)      \
    X(assume)      \
    X(atomic)      \
    X(join)        \
    X(conditional) \
    X(assertion)   \
    X(send)        \
    X(receive)     \
    X(poll)        \
    X(semaphore)   \
    X(posts)       \
    X(unit)        \
    X(tries_down)  \
    X(reading)     \
    X(writing)     \
    X(tries_read)  \
    X(tries_write) \
    X(loop)        \
    X(polls)       \
    X(backs_off)   \
    X(barrier)     \
    X(fence)       \
    X(once)        \
    X(either)      \
    X(rounds)

#define ITEM_ENUM(name) ITEM_##name,
enum item { ITEMS(ITEM_ENUM) ITEM_COUNT };
#undef ITEM_ENUM

/* The weights say how often an item is drawn; the other columns are bounds and percentages. */
typedef struct generator_kind {
    const char *name;
    uint8_t share; /* of the programs, when no kind is asked for */
    uint8_t threads_least, threads_most;
    uint8_t ops_least, ops_most; /* of the whole program, about */
    uint8_t variables, mutexes, conditions;
    uint8_t objects;   /* semaphores, read-write locks, barriers and onces: of each */
    uint8_t guarded;   /* percentage of items after `?` or `!` */
    uint8_t spawned;   /* percentage of threads that are spawned */
    uint8_t forgotten; /* percentage of unlocks left out */
    uint8_t indexed;   /* percentage of reads and writes of the array, if it needs the language */
    uint8_t chosen;    /* percentage of choices among the operations of atomic sections */
    bool writers;      /* besides, a thread for every variable that writes it once */
    uint8_t language;  /* percentage of programs that need the language */
    uint8_t plain;     /* percentage of variables that are plain */
    uint8_t ordered;   /* percentage of accesses with a memory order of their own, at most */
    uint8_t weights[ITEM_COUNT];
} generator_kind;

#define KINDS_MOST 64

extern const generator_kind generator_kinds[];
extern const uint32_t generator_kinds_count;

#endif
