/* The differential test of one program: strategies, each under several ways of picking the first
 * schedule, against the brute force. */
#ifndef HEDDLE_ORACLE_DIFFER_H
#define HEDDLE_ORACLE_DIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/strategy.h"
#include "oracle/brute.h"
#include "oracle/difference.h"

/* A strategy on trial; `promises` are those of promise.h. */
typedef struct defendant {
    const strategy_class *class;
    uint32_t promises;
    const struct race_detector *races; /* NULL: the right one */
    const struct spin_rule *spins;     /* the same */
} defendant;

/* First policies are numbered: 0 lowest, 1 highest, 2 round robin, from 3 on random, the number
 * being the seed. */
#define DIFFER_POLICIES      11
#define DIFFER_POLICIES_MANY 300

typedef struct differ_settings {
    const defendant *defendants;
    uint32_t defendant_count;
    uint64_t prefix_limit; /* of the brute force */
    uint32_t policies;     /* how many */
    /* If not 0, programs with many traces are tested under fewer policies; it says which. */
    uint64_t rotation;
    /* Each state of a program is computed once, for all explorations (known_states.h). */
    bool knows_states;
} differ_settings;

/* What programs may have, and the instruction that shows it. */
#define FEATURES(X)                              \
    X(LOCKS, "locks", LOCK)                      \
    X(LIVES, "inits", INIT)                      \
    X(CONDITIONS, "conditions", SIGNAL)          \
    X(CAS, "compare-and-swap", CAS)              \
    X(WIDE, "wide steps", FILL)                  \
    X(SEVERAL, "several accesses", ATOMIC_BEGIN) \
    X(AWAIT, "await", AWAIT)                     \
    X(CHOICES, "choices", CHOOSE)                \
    X(MESSAGES, "messages", SEND)                \
    X(SEMAPHORES, "semaphores", POST)            \
    X(RWLOCKS, "read-write locks", RELEASE)      \
    X(BARRIERS, "barriers", BARRIER)             \
    X(ONCES, "onces", ONCE)

#define FEATURE_ENUM(name, word, instruction) FEATURE_##name,
enum feature { FEATURES(FEATURE_ENUM) FEATURE_COUNT };
#undef FEATURE_ENUM

/* What is known about a program once it was tested. */
typedef struct differ_result {
    bool tested; /* false: too large for the brute force */
    uint32_t traces, threads;
    uint64_t interleavings;
    uint32_t features; /* a set of enum feature */
    bool shuffled;     /* some exploration took its work in random order */
    bool stuck;     /* some trace ends with a thread that is blocked forever or failed an assume */
    bool errors;    /* some trace has an error */
    bool fell_back; /* some strategy fell back to another one, and was not judged */
    /* Of the first strategy that compares states, under its first policy: */
    bool compared, reduced; /* it explores less than there are traces, or classes of observers */
    uint64_t executions;
    difference difference;
} differ_result;

/* The strategies of the registry that have promises; the others are counted in `unknown`. Returns
 * how many there are, at most `most`; 0 if one that is named does not exist. `names`, separated by
 * commas, NULL: all of them. */
uint32_t differ_defendants(const char *names, defendant *, uint32_t most, uint32_t *unknown);

/* Tests the program of a text up to the first difference. */
void differ_test(const differ_settings *, const char *text, differ_result *);

#endif
