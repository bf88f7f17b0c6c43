/* heddle-fuzz: random programs, every strategy against the oracle. Exit status: 0 no difference, 1
 * a difference (or a canary that was not caught), 2 usage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "oracle/campaign.h"
#include "oracle/generator.h"
#include "oracle/mutant.h"
#include "oracle/print.h"
#include "oracle/promise.h"
#include "oracle/regressions.h"

#define DEFENDANTS_MOST      32
#define EXHAUSTIVE_SCHEDULES 60

typedef struct options {
    campaign campaign;
    enumerator_request enumerated;
    const char *kind, *strategy, *replay, *regressions;
    bool mutants, statistics, exhaustive, list;
} options;

static const char usage[] =
    "usage: heddle-fuzz [options]\n"
    "  --seed=N            of the random programs (default: from the clock)\n"
    "  --programs=N        how many (default 2000, or no limit with --seconds)\n"
    "  --seconds=N         for how long\n"
    "  --jobs=N            processes (default: one per processor)\n"
    "  --kind=NAME         only programs of this kind\n"
    "  --size=N            larger or smaller programs, in percent\n"
    "  --prefixes=N        steps of the brute force before it gives a program up\n"
    "  --strategy=NAMES    only these strategies, separated by commas\n"
    "  --replay=FILE       test the programs of a file or directory, and nothing else\n"
    "  --regressions=DIR   where failing programs are kept and replayed from\n"
    "                      (default tests/regressions; empty: nowhere)\n"
    "  --mutants           test that every deliberately broken strategy is caught, each by\n"
    "                      the first 30,000 programs, or as many as --programs allows\n"
    "  --statistics        only generate programs and show what they are like\n"
    "  --schedules=N       first schedules of each program (default 11, exhaustively 60)\n"
    "  --from=N            begin with program number N\n"
    "  --part=K/N          only every N-th program, beginning with the K-th, starting at 1\n"
    "  --exhaustive        all small programs, up to symmetry, in place of random ones:\n"
    "  --operations=A-B    number of operations (default 2-5; N alone: exactly N)\n"
    "  --kinds=LETTERS     of these kinds (default rw): r read, w write, a fetch-add,\n"
    "                      c compare-and-swap, i await, l lock, u unlock, k trylock,\n"
    "                      t trylock and unlock, s section, v section that varies\n"
    "  --threads=N, --variables=N, --mutexes=N, --values=N\n"
    "                      the largest numbers (default 5, 2, 1, 1)\n"
    "  --accesses=N        the largest number; a section of two accesses counts as two\n"
    "  --list              print the programs and do nothing with them\n";

static bool fail_usage(const char *what) {
    fprintf(stderr, "heddle-fuzz: %s\n%s", what, usage);
    return false;
}

/* "A-B", or one number for both. */
static bool parse_range(const char *text, uint32_t *least, uint32_t *most) {
    char *end;
    *least = *most = (uint32_t)strtoul(text, &end, 10);
    if (*end == '-') {
        *most = (uint32_t)strtoul(end + 1, &end, 10);
    }
    return !*end || fail_usage(text);
}

/* "K/N", counted from 1. */
static bool parse_part(const char *text, campaign *c) {
    char *end;
    uint64_t part = strtoull(text, &end, 10);
    c->parts = *end == '/' ? strtoull(end + 1, &end, 10) : 0;
    c->part = part - 1;
    return (!*end && part >= 1 && part <= c->parts) || fail_usage(text);
}

/* Options that are numbers. */
static bool parse_number(options *o, const char *argument) {
    campaign *c = &o->campaign;
    enumerator_request *e = &o->enumerated;
    const struct {
        const char *name;
        uint64_t *large;
        uint32_t *small;
    } numbers[] = {
        {"--seed=", &c->request.seed, NULL},
        {"--programs=", &c->programs, NULL},
        {"--from=", &c->from, NULL},
        {"--prefixes=", &c->prefix_limit, NULL},
        {"--seconds=", NULL, &c->seconds},
        {"--jobs=", NULL, &c->jobs},
        {"--size=", NULL, &c->request.size},
        {"--schedules=", NULL, &c->policies},
        {"--threads=", NULL, &e->threads},
        {"--accesses=", NULL, &e->accesses},
        {"--variables=", NULL, &e->alphabet.variables},
        {"--mutexes=", NULL, &e->alphabet.mutexes},
        {"--values=", NULL, &e->alphabet.values},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *value = text_after(argument, numbers[i].name);
        if (value && numbers[i].large) {
            *numbers[i].large = strtoull(value, NULL, 10);
        } else if (value) {
            *numbers[i].small = (uint32_t)strtoul(value, NULL, 10);
        }
        if (value) {
            return true;
        }
    }
    return false;
}

static bool parse_argument(options *o, const char *argument) {
    const char *value;
    if (parse_number(o, argument)) {
        return true;
    } else if ((value = text_after(argument, "--kind="))) {
        o->kind = value;
    } else if ((value = text_after(argument, "--strategy="))) {
        o->strategy = value;
    } else if ((value = text_after(argument, "--replay="))) {
        o->replay = value;
    } else if ((value = text_after(argument, "--regressions="))) {
        o->regressions = value[0] ? value : NULL;
    } else if ((value = text_after(argument, "--kinds="))) {
        o->enumerated.alphabet.kinds = value;
    } else if ((value = text_after(argument, "--operations="))) {
        return parse_range(value, &o->enumerated.least, &o->enumerated.most);
    } else if ((value = text_after(argument, "--part="))) {
        return parse_part(value, &o->campaign);
    } else if (strcmp(argument, "--mutants") == 0) {
        o->mutants = true;
    } else if (strcmp(argument, "--statistics") == 0) {
        o->statistics = true;
    } else if (strcmp(argument, "--exhaustive") == 0) {
        o->exhaustive = true;
    } else if (strcmp(argument, "--list") == 0) {
        o->list = true;
    } else {
        return fail_usage(argument);
    }
    return true;
}

static bool find_kind(options *o) {
    o->campaign.request.kind = GENERATOR_ANY_KIND;
    for (uint32_t i = 0; o->kind && i < generator_kind_count(); i++) {
        if (strcmp(generator_kind_name(i), o->kind) == 0) {
            o->campaign.request.kind = i;
        }
    }
    return !o->kind || o->campaign.request.kind != GENERATOR_ANY_KIND || fail_usage("no such kind");
}

static bool parse_options(options *o, int count, char **arguments) {
    campaign *c = &o->campaign;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    c->request.seed = (uint64_t)time(NULL);
    c->jobs = processors > 0 ? (uint32_t)processors : 1;
    c->prefix_limit = CAMPAIGN_PREFIX_LIMIT;
    c->progress = isatty(STDERR_FILENO);
    c->parts = 1;
    o->enumerated = (enumerator_request){{"rw", 2, 1, 1}, 2, 5, 5, 0};
    o->regressions = "tests/regressions";
    for (int i = 1; i < count; i++) {
        if (!parse_argument(o, arguments[i])) {
            return false;
        }
    }
    if (!c->programs && o->mutants) {
        c->programs = MUTANT_PROGRAMS;
    } else if (!c->programs && !c->seconds && !o->exhaustive) {
        c->programs = 2000;
    }
    c->policies = c->policies     ? c->policies
                  : o->exhaustive ? EXHAUSTIVE_SCHEDULES
                                  : DIFFER_POLICIES;
    c->jobs = c->jobs < 1 ? 1 : c->jobs > 64 ? 64 : c->jobs;
    return find_kind(o);
}

static int replay(const char *path, const defendant *defendants, uint32_t count) {
    uint64_t tested = 0;
    uint64_t differences = regressions_replay(path, defendants, count, &tested);
    printf("%" PRIu64 " programs replayed, %" PRIu64 " differences\n", tested, differences);
    return differences > 0;
}

static int hunt_mutants(const options *o) {
#ifdef HEDDLE_NO_MUTANTS
    (void)o;
    fputs("heddle-fuzz: only release builds have mutants\n", stderr);
    return 2;
#else
    const campaign *c = &o->campaign;
    return mutant_hunt(c->request.seed, c->programs, o->strategy) > 0;
#endif
}

/* All small programs, up to symmetry. */
static int run_exhaustively(options *o) {
    static enumerator e;
    campaign *c = &o->campaign;
    sketch s;
    printed text;
    if (!enumerator_init(&e, &o->enumerated)) {
        fail_usage("no programs of that kind or size");
        return 2;
    }
    c->enumerator = &e;
    if (!o->list) {
        return campaign_run(c) > 0;
    }
    for (uint64_t i = c->from + c->part; enumerator_program(&e, i, &s); i += c->parts) {
        print_sketch(&s, &text);
        printf("%s\n", text.text);
    }
    return 0;
}

int main(int count, char **arguments) {
    options o = {0};
    defendant defendants[DEFENDANTS_MOST];
    uint32_t unknown;
    int status = 0;
    if (!parse_options(&o, count, arguments)) {
        return 2;
    }
    campaign *c = &o.campaign;
    c->defendants = defendants;
    c->defendant_count = differ_defendants(o.strategy, defendants, DEFENDANTS_MOST, &unknown);
    if (unknown) {
        printf("%u strategies have no promises and are not tested\n", unknown);
    }
    if (!c->defendant_count) {
        fail_usage("no such strategy");
        return 2;
    }
    for (uint32_t i = 0; c->defendant_count > 1 && i < c->defendant_count; i++) {
        if (defendants[i].promises & PROMISE_GRAPHS) {
            fail_usage("a strategy that explores graphs is tested alone");
            return 2;
        }
    }
    if (o.exhaustive) {
        return run_exhaustively(&o);
    }
    printf("seed %" PRIu64 "\n", c->request.seed);
    if (o.mutants) {
        return hunt_mutants(&o);
    }
    if (o.replay) {
        return replay(o.replay, defendants, c->defendant_count);
    }
    if (o.statistics) {
        c->defendant_count = 0;
    } else if (o.regressions) {
        status = replay(o.regressions, defendants, c->defendant_count);
        c->directory = o.regressions;
    }
    return campaign_run(c) > 0 || status;
}
