/* How an exploration shares its work with others. It is asked between executions, and when nothing
 * is left to be done here. */
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
    bool starts_empty; /* all there is to do here comes by `refill` */
    bool keeps_rest;   /* the work that is left is wanted: executions are not ended in the middle */
};

/* Work becomes bytes and work again, in random amounts after every execution: shows that nothing is
 * lost on the way, for tests. */
typedef struct round_trip {
    exchange exchange;
    random_source random;
    bool failed; /* bytes did not become work again */
} round_trip;

void round_trip_open(round_trip *, uint64_t seed);

#endif
