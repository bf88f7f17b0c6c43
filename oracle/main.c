/* heddle-fuzz: random programs, every strategy against the oracle. Exit status: 0 no difference, 1
 * a difference (or a canary that was not caught), 2 usage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "oracle/campaign.h"
#include "oracle/generator.h"
#include "oracle/mutant.h"
#include "oracle/regressions.h"

#define DEFENDANTS_MOST 32

typedef struct options {
    campaign campaign;
    const char *kind, *strategy, *replay, *regressions;
    bool mutants, statistics;
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
    "  --strategy=NAME     only this strategy\n"
    "  --replay=FILE       test the programs of a file or folder, and nothing else\n"
    "  --regressions=DIR   where failing programs are kept and replayed from\n"
    "                      (default tests/regressions; empty: nowhere)\n"
    "  --mutants           test that every deliberately broken strategy is caught\n"
    "  --statistics        only generate programs and show what they are like\n";

static bool fail_usage(const char *what) {
    fprintf(stderr, "heddle-fuzz: %s\n%s", what, usage);
    return false;
}

/* The text after "NAME=", or NULL. */
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool parse_argument(options *o, const char *argument) {
    const char *value;
    campaign *c = &o->campaign;
    if ((value = value_of(argument, "--seed="))) {
        c->request.seed = strtoull(value, NULL, 10);
    } else if ((value = value_of(argument, "--programs="))) {
        c->programs = strtoull(value, NULL, 10);
    } else if ((value = value_of(argument, "--seconds="))) {
        c->seconds = (uint32_t)strtoul(value, NULL, 10);
    } else if ((value = value_of(argument, "--jobs="))) {
        c->jobs = (uint32_t)strtoul(value, NULL, 10);
    } else if ((value = value_of(argument, "--kind="))) {
        o->kind = value;
    } else if ((value = value_of(argument, "--size="))) {
        c->request.size = (uint32_t)strtoul(value, NULL, 10);
    } else if ((value = value_of(argument, "--prefixes="))) {
        c->prefix_limit = strtoull(value, NULL, 10);
    } else if ((value = value_of(argument, "--strategy="))) {
        o->strategy = value;
    } else if ((value = value_of(argument, "--replay="))) {
        o->replay = value;
    } else if ((value = value_of(argument, "--regressions="))) {
        o->regressions = value[0] ? value : NULL;
    } else if (strcmp(argument, "--mutants") == 0) {
        o->mutants = true;
    } else if (strcmp(argument, "--statistics") == 0) {
        o->statistics = true;
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
    o->regressions = "tests/regressions";
    for (int i = 1; i < count; i++) {
        if (!parse_argument(o, arguments[i])) {
            return false;
        }
    }
    if (!c->programs && !c->seconds) {
        c->programs = 2000;
    }
    c->jobs = c->jobs < 1 ? 1 : c->jobs > 64 ? 64 : c->jobs;
    return find_kind(o);
}

static int replay(const char *path, const defendant *defendants, uint32_t count) {
    uint64_t tested = 0;
    uint64_t differences = regressions_replay(path, defendants, count, &tested);
    printf("%" PRIu64 " programs replayed, %" PRIu64 " differences\n", tested, differences);
    return differences > 0;
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
    printf("seed %" PRIu64 "\n", c->request.seed);
    if (o.mutants) {
        return mutant_hunt(c->request.seed, c->seconds ? c->seconds : 60) > 0;
    }
    if (o.replay) {
        return replay(o.replay, defendants, c->defendant_count);
    }
    if (o.statistics) {
        c->defendant_count = 0;
    } else if (o.regressions) {
        status = replay(o.regressions, defendants, c->defendant_count);
        c->folder = o.regressions;
    }
    return campaign_run(c) > 0 || status;
}
