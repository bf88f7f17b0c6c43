/* How an exploration shares its work with others. Its functions are called between executions, and
 * when nothing is left to do here. */
#ifndef HEDDLE_EXPLORE_EXCHANGE_H
#define HEDDLE_EXPLORE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "explore/strategy.h"

typedef struct exchange exchange;

typedef struct exchange_class {
    /* `wanted` is not 0. False: the exploration ends here. */
    bool (*serve)(exchange *, strategy *);
    /* Nothing is left. True: the strategy has been given more. */
    bool (*refill)(exchange *, strategy *);
    /* The next execution is about to start. May be NULL. */
    void (*chosen)(exchange *, strategy *);
    /* The exploration is about to be left before its end, with all of its work. Only if
       `keeps_rest`. There may be no memory left: then this is left by limit_escape. */
    void (*leave)(exchange *, strategy *);
} exchange_class;

struct exchange {
    const exchange_class *class;
    const volatile uint32_t *wanted;
    bool starts_empty; /* all work comes from `refill` */
    bool keeps_rest;   /* the remaining work will be used: executions are not interrupted in the
                          middle */
};

/* For tests: after every execution a random amount of work becomes bytes and work again, which
 * shows that nothing is lost. */
typedef struct round_trip {
    exchange exchange;
    random_source random;
    bool failed; /* bytes did not become work again */
} round_trip;

void round_trip_open(round_trip *, uint64_t seed);

#endif
