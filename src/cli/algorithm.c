#include "cli/algorithm.h"

#include "dpor/bounded.h"
#include "dpor/registry.h"
#include "dpor/sampling.h"

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
    if ((s->random.method != SAMPLING_OFF) + s->preemptions.given + (s->algorithm != NULL) > 1) {
        text_append(message, "give only one of --random, --preemption-bound and --algorithm");
        return NULL;
    }
    const strategy_class *algorithm = s->random.method       ? &strategy_sampling
                                      : s->preemptions.given ? &strategy_bounded
                                      : s->algorithm         ? strategy_find(s->algorithm)
                                                             : algorithm_default();
    if (!algorithm) {
        text_format(message, "unknown algorithm %s; there are: ", s->algorithm);
        algorithm_names(message);
    }
    return algorithm;
}
