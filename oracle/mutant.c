#include "oracle/mutant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/monotonic.h"
#include "dpor/registry.h"
#include "oracle/campaign.h"
#include "oracle/differ.h"
#include "oracle/generator.h"
#include "oracle/mutants/list.h"
#include "oracle/print.h"
#include "oracle/promise.h"
#include "oracle/sandbox.h"
#include "oracle/shrink.h"

#define ATTEMPT_SECONDS 20

typedef struct mutant {
    const char *name;
    const strategy_class *class;
    const char *original;
    const char *fault;
    const char *kind;                  /* of programs in which the fault can show; NULL: any */
    const struct race_detector *races; /* NULL: the right one */
    const struct spin_rule *spins;     /* the same */
} mutant;

#define MUTANT_DECLARATION(name, original, fault) extern const strategy_class mutant_##name;
MUTANTS(MUTANT_DECLARATION)
#undef MUTANT_DECLARATION
#define RACE_DECLARATION(name, original, kind, fault) \
    extern const struct race_detector mutant_##name;
RACE_MUTANTS(RACE_DECLARATION)
#undef RACE_DECLARATION
#define SPIN_DECLARATION(name, original, fault) extern const struct spin_rule mutant_##name;
SPIN_MUTANTS(SPIN_DECLARATION)
#undef SPIN_DECLARATION

static const mutant mutants[] = {
#define MUTANT_ROW(name, original, fault) \
    {#name, &mutant_##name, original, fault, NULL, NULL, NULL},
    MUTANTS(MUTANT_ROW)
#undef MUTANT_ROW
#define RACE_ROW(name, original, kind, fault) \
    {#name, NULL, original, fault, kind, &mutant_##name, NULL},
        RACE_MUTANTS(RACE_ROW)
#undef RACE_ROW
#define SPIN_ROW(name, original, fault) {#name, NULL, original, fault, NULL, NULL, &mutant_##name},
            SPIN_MUTANTS(SPIN_ROW)
#undef SPIN_ROW
};

/* A hunt continues in a child process until it finds something or dies; the parent sees how far it
 * came. */
typedef struct hunt {
    const char *name, *kind; /* of the mutant */
    defendant mutant, original;
    uint64_t seed;
    uint64_t index; /* of the program being tried */
    uint64_t limit; /* programs to try */
    bool caught;
    bool errors; /* the program that caught it has errors of its own */
    difference difference;
} hunt;

static uint32_t kind_for(const hunt *h) {
    bool spins = strstr(h->name, "spins");
    const char *wanted = spins ? "spin" : h->kind;
    uint32_t kind = 0;
    if (h->original.promises & PROMISE_GRAPHS) {
        bool lives = strstr(h->name, "lives"), polls = strstr(h->name, "polls");
        const char *own = spins   ? "weakloops" /* programs of their own */
                          : lives ? "weaklives"
                          : polls ? "weakpolls"
                                  : "weak";
        wanted = h->kind ? h->kind : own;
    }
    if (!wanted) {
        return GENERATOR_ANY_KIND;
    }
    while (strcmp(generator_kind_name(kind), wanted) != 0) {
        kind++;
    }
    return kind;
}

static void hunt_text(const hunt *h, sketch *s, printed *text) {
    uint32_t kind = kind_for(h);
    generator_program(&(generator_request){.seed = h->seed, .kind = kind}, h->index, s);
    print_sketch(s, text);
}

static void try_program(const defendant *who, uint64_t index, const char *text,
                        differ_result *result) {
    differ_settings settings = {.defendants = who,
                                .defendant_count = 1,
                                .prefix_limit = CAMPAIGN_PREFIX_LIMIT / 10,
                                .policies = DIFFER_POLICIES,
                                .rotation = index + 1};
    differ_test(&settings, text, result);
}

static void hunt_on(void *argument) {
    hunt *h = argument;
    for (; h->index < h->limit; h->index++) {
        sketch s;
        printed text;
        differ_result result, original;
        hunt_text(h, &s, &text);
        sandbox_limit(ATTEMPT_SECONDS);
        try_program(&h->mutant, h->index, text.text, &result);
        if (result.difference.kind == DIFFERENCE_NONE) {
            continue;
        }
        try_program(&h->original, h->index, text.text, &original);
        if (original.difference.kind == DIFFERENCE_NONE) {
            h->difference = result.difference;
            h->errors = result.errors;
            h->caught = true;
            return;
        }
    }
}

/* The mutant died in program h->index: a catch, if the original does not die there. */
static void judge_death(hunt *h, enum sandbox_end end) {
    sketch s;
    printed text;
    differ_result original;
    hunt_text(h, &s, &text);
    shrink_test(&h->original, text.text, DIFFER_POLICIES, ATTEMPT_SECONDS, &original);
    if (original.difference.kind != DIFFERENCE_NONE) {
        h->index++;
        return;
    }
    h->caught = true;
    h->errors = original.errors;
    difference_set(&h->difference, end == SANDBOX_DIED ? DIFFERENCE_CRASH : DIFFERENCE_HANG,
                   "in program %" PRIu64, h->index);
}

static void print_catch(hunt *h, const mutant *m, double seconds) {
    sketch s;
    printed text;
    hunt_text(h, &s, &text);
    difference d = h->difference;
    shrink_sketch(&s, &h->mutant, h->errors, &d);
    print_sketch(&s, &text);
    print_flatten(text.text);
    printf("caught   %s (%s)\n         program %" PRIu64 ", %.1f s: %s\n         %s\n", m->name,
           m->fault, h->index, seconds, difference_meaning(d.kind), text.text);
}

static uint64_t known_catch(const char *name) {
#define RARE_CASE(rare, program)    \
    if (strcmp(name, #rare) == 0) { \
        return program;             \
    }
    RARE_MUTANTS(RARE_CASE)
#undef RARE_CASE
    return 0;
}

static void hunt_through(hunt *h, uint64_t first, uint64_t limit) {
    h->index = first;
    h->limit = limit;
    while (!h->caught && h->index < h->limit) {
        enum sandbox_end end = sandbox_run(hunt_on, h, ATTEMPT_SECONDS);
        if (end != SANDBOX_RETURNED) {
            judge_death(h, end);
        }
    }
}

static bool hunt_down(const mutant *m, uint64_t seed, uint64_t programs) {
    hunt *h = sandbox_share(sizeof *h);
    double start = monotonic_seconds();
    uint32_t promises = promise_of(m->original);
    const strategy_class *original = strategy_find(m->original);
    CHECK(promises && original);
    *h = (hunt){.name = m->name,
                .kind = m->kind,
                .mutant = {.class = m->class ? m->class : original,
                           .promises = promises,
                           .races = m->races,
                           .spins = m->spins},
                .original = {.class = original, .promises = promises},
                .seed = seed};
    uint64_t known = seed == RARE_SEED ? known_catch(m->name) : 0;
    if (known) {
        hunt_through(h, known, known + 1);
    }
    if (!h->caught) {
        hunt_through(h, 0, programs);
    }
    if (h->caught) {
        print_catch(h, m, monotonic_seconds() - start);
    } else {
        printf("ESCAPED  %s (%s)\n         %" PRIu64 " programs\n", m->name, m->fault, h->index);
    }
    fflush(stdout);
    bool caught = h->caught;
    sandbox_unshare(h, sizeof *h);
    return caught;
}

uint32_t mutant_hunt(uint64_t seed, uint64_t programs_each, const char *strategy) {
    uint32_t count = 0, escaped = 0;
    for (uint32_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        if (!strategy || strcmp(mutants[i].original, strategy) == 0) {
            escaped += !hunt_down(&mutants[i], seed, programs_each);
            count++;
        }
    }
    printf("%u mutants, %u escaped\n", count, escaped);
    return escaped;
}
