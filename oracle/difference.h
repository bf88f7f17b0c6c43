/* One disagreement between a strategy and the oracle. */
#ifndef HEDDLE_ORACLE_DIFFERENCE_H
#define HEDDLE_ORACLE_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/*        kind                      what it means */
#define DIFFERENCE_KINDS(X)                                                    \
    X(DIFFERENCE_NONE, "no difference")                                        \
    X(DIFFERENCE_PARSE, "the program cannot be parsed")                        \
    X(DIFFERENCE_SCHEDULE, "a schedule that the program does not have")        \
    X(DIFFERENCE_EVENT, "an event is not what the step did")                   \
    X(DIFFERENCE_ORDER, "happens-before is wrong")                             \
    X(DIFFERENCE_NOT_MAXIMAL, "an execution is said to be maximal and is not") \
    X(DIFFERENCE_ENDING, "the ending of an execution is wrong")                \
    X(DIFFERENCE_DUPLICATE, "a trace is executed more than once")              \
    X(DIFFERENCE_REDUNDANT, "an exploration was redundant")                    \
    X(DIFFERENCE_REPEATED, "an interleaving is executed more than once")       \
    X(DIFFERENCE_MISSING_TRACE, "a trace is missing")                          \
    X(DIFFERENCE_MISSING_CLASS, "a class of observers is missing")             \
    X(DIFFERENCE_UNKNOWN_TRACE, "a trace that brute force did not find")       \
    X(DIFFERENCE_OUTCOMES, "an outcome is missing")                            \
    X(DIFFERENCE_STATES, "a final state of memory is missing")                 \
    X(DIFFERENCE_RESULTS, "a result of the threads is missing")                \
    X(DIFFERENCE_FINALS, "a final state is missing")                           \
    X(DIFFERENCE_ERRORS, "errors differ")                                      \
    X(DIFFERENCE_MEANING, "leaving out void rounds changes the program")       \
    X(DIFFERENCE_MACHINE, "axioms and a machine with store buffers disagree")  \
    X(DIFFERENCE_RACES, "a data race is missing")                              \
    X(DIFFERENCE_FALSE_RACE, "a data race that brute force did not find")      \
    X(DIFFERENCE_PROMOTION, "accesses are still promoted when all are known")  \
    X(DIFFERENCE_ENDINGS, "the number of executions by ending is wrong")       \
    X(DIFFERENCE_COUNT, "not as many executions as interleavings")             \
    X(DIFFERENCE_TOO_MANY, "more explorations than interleavings")             \
    X(DIFFERENCE_UNFINISHED, "the exploration stopped before its end")         \
    X(DIFFERENCE_UNSUITED, "a program without atomic sections falls back")     \
    X(DIFFERENCE_LEAK, "memory was not given back")                            \
    X(DIFFERENCE_CRASH, "the process died")                                    \
    X(DIFFERENCE_HANG, "it did not come to an end")

#define DIFFERENCE_ENUM(kind, meaning) kind,
enum difference_kind { DIFFERENCE_KINDS(DIFFERENCE_ENUM) DIFFERENCE_KIND_COUNT };
#undef DIFFERENCE_ENUM

typedef struct difference {
    enum difference_kind kind;
    char strategy[40];
    char policy[40];
    char detail[200];
} difference;

const char *difference_meaning(enum difference_kind);

/* Records a difference unless there is one already: the first one counts. */
__attribute__((format(printf, 3, 4))) void difference_set(difference *, enum difference_kind,
                                                          const char *format, ...);

#endif
