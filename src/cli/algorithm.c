#include "cli/algorithm.h"

#include "dpor/bounded.h"
#include "dpor/registry.h"
#include "dpor/sampling.h"

const strategy_class *algorithm_default(void) {
    CHECK(strategy_registry[0] != NULL);
    return strategy_registry[0];
}

const strategy_class *algorithm_exhaustive(void) {
    const strategy_class *const *s = strategy_registry;
    while (*s && !(*s)->exhaustive) {
        s++;
    }
    CHECK(*s != NULL);
    return *s;
}

const strategy_class *algorithm_of_traces(const strategy_class *wanted) {
    while (wanted && (wanted->observes || wanted->states_only)) {
        wanted = wanted->fallback ? strategy_find(wanted->fallback) : algorithm_default();
    }
    CHECK(wanted != NULL);
    return wanted;
}

/* "classic, source, optimal": all names. */
static void add_names(text *out) {
    for (const strategy_class *const *s = strategy_registry; *s; s++) {
        text_format(out, "%s%s", s == strategy_registry ? "" : ", ", (*s)->name);
    }
}

/* One that explores memory models other than sequential consistency. */
static const strategy_class *algorithm_of_models(void) {
    const strategy_class *const *s = strategy_registry;
    while (*s && !(*s)->versions) {
        s++;
    }
    CHECK(*s != NULL);
    return *s;
}

/* The algorithm for the settings; NULL: there is none. */
static const strategy_class *choose(const settings *s) {
    if (s->random.method) {
        return &strategy_sampling;
    }
    if (s->preemptions.given) {
        return &strategy_bounded;
    }
    if (s->algorithm) {
        return strategy_find(s->algorithm);
    }
    return s->model == MODEL_SC ? algorithm_default() : algorithm_of_models();
}

const strategy_class *algorithm_wanted(const settings *s, text *message) {
    if ((s->random.method != SAMPLING_OFF) + s->preemptions.given + (s->algorithm != NULL) > 1) {
        text_append(message, "give only one of --random, --preemption-bound and --algorithm");
        return NULL;
    }
    const strategy_class *algorithm = choose(s);
    if (!algorithm) {
        text_format(message, "unknown algorithm %s; the algorithms are: ", s->algorithm);
        add_names(message);
    } else if (s->model != MODEL_SC && !algorithm->versions) {
        text_format(message,
                    "%s explores sequential consistency only; --model=%s needs --algorithm=%s",
                    algorithm->name, memory_model_word(s->model), algorithm_of_models()->name);
        algorithm = NULL;
    }
    return algorithm;
}
