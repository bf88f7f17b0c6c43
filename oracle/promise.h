/* What each strategy promises, and so what the oracle may demand of it. A new strategy is a new row
 * in promise.c; one without a row is not tested, and the tester says so. */
#ifndef HEDDLE_ORACLE_PROMISE_H
#define HEDDLE_ORACLE_PROMISE_H

#include <stdbool.h>
#include <stdint.h>

enum promise {
    /* Every trace is executed at least once. Implies the three below. */
    PROMISE_TRACES = 1,
    /* Everything that the threads can observe together occurs. */
    PROMISE_OUTCOMES = 2,
    /* Every final state of memory and mutexes occurs. */
    PROMISE_STATES = 4,
    /* Every error occurs, and every way for executions to end. */
    PROMISE_ERRORS = 8,
    /* No trace twice. */
    PROMISE_ONCE = 16,
    /* No redundant exploration. */
    PROMISE_UNBLOCKED = 32768,
    /* Exactly all interleavings, each once. */
    PROMISE_INTERLEAVINGS = 32,
    /* Every class of observers (observed.h) is executed at least once. */
    PROMISE_CLASSES = 128,
    /* No such class twice, and no redundant exploration. */
    PROMISE_CLASSES_ONCE = 256,
    /* Every final state occurs: memory, mutexes, mailboxes, and of every thread where and how it
       stopped and its named registers. */
    PROMISE_FINALS = 512,
    /* Executions and redundant explorations are no more than there are traces. */
    PROMISE_FEWER = 1024,
    /* The same of every final state without memory, mutexes and mailboxes. */
    PROMISE_RESULTS = 2048,
    /* It is known not to keep them: tested only if it is asked for. */
    PROMISE_BROKEN = 8192,
    /* ... no more than there are classes of observers. */
    PROMISE_FEWER_CLASSES = 4096,
    /* Every execution graph that the memory model allows exactly once, under every model
       (weak_trial.h). Tested only if it is asked for: the programs are of a kind of their own. */
    PROMISE_GRAPHS = 16384,
    /* Explorations, redundant ones included, are different interleavings: never more of them. */
    PROMISE_BOUNDED = 64,
};

/* The sum of its promises; 0 if the strategy is not known. */
uint32_t promise_of(const char *strategy);

#endif
