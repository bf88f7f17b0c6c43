#include "cli/algorithm.h"

#include "dpor/registry.h"

/* The first of these that is built in is the default. */
static const char *const preferred[] = {"pop", "optimal"};

const strategy_class *algorithm_default(void) {
    for (uint32_t i = 0; i < sizeof preferred / sizeof *preferred; i++) {
        const strategy_class *s = strategy_find(preferred[i]);
        if (s) {
            return s;
        }
    }
    CHECK(strategy_registry[0] != NULL);
    return strategy_registry[0];
}

void algorithm_names(text *out) {
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        text_format(out, "%s%s", s == strategy_registry ? "" : ", ", (*s)->name);
    }
}

const strategy_class *algorithm_wanted(const settings *s, text *message) {
    const strategy_class *algorithm =
        s->algorithm ? strategy_find(s->algorithm) : algorithm_default();
    if (!algorithm) {
        text_format(message, "unknown algorithm %s; there are: ", s->algorithm);
        algorithm_names(message);
    }
    return algorithm;
}
