#include "oracle/promise.h"

#include <string.h>

#define COVERS (PROMISE_TRACES | PROMISE_OUTCOMES | PROMISE_STATES | PROMISE_ERRORS)

static const struct {
    const char *strategy;
    uint32_t promises;
} table[] = {
    {"none", COVERS | PROMISE_INTERLEAVINGS | PROMISE_BOUNDED},
    {"classic", COVERS | PROMISE_BOUNDED},
    {"sleep-sets", COVERS | PROMISE_ONCE | PROMISE_BOUNDED},
    {"source", COVERS | PROMISE_BOUNDED},
    {"optimal", COVERS | PROMISE_ONCE | PROMISE_UNBLOCKED | PROMISE_BOUNDED},
    {"observers", PROMISE_CLASSES | PROMISE_CLASSES_ONCE | PROMISE_OUTCOMES | PROMISE_ERRORS},
    {"context", PROMISE_FINALS | PROMISE_STATES | PROMISE_ERRORS | PROMISE_FEWER},
    {"context-observers", PROMISE_RESULTS | PROMISE_ERRORS | PROMISE_FEWER_CLASSES},
    {"context-source", PROMISE_FINALS | PROMISE_STATES | PROMISE_ERRORS | PROMISE_BOUNDED},
    {"published-context", PROMISE_FINALS | PROMISE_STATES | PROMISE_ERRORS | PROMISE_BROKEN},
    {"published-context-observers", PROMISE_RESULTS | PROMISE_ERRORS | PROMISE_BROKEN},
    {"graph", PROMISE_GRAPHS},
    {"pop", COVERS | PROMISE_ONCE | PROMISE_UNBLOCKED | PROMISE_BOUNDED},
};

uint32_t promise_of(const char *strategy) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].strategy, strategy) == 0) {
            return table[i].promises;
        }
    }
    return 0;
}
