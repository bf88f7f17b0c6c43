#include "oracle/statistics.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/check.h"
#include "oracle/generator.h"

void statistics_add(statistics *s, uint32_t kind, const differ_result *result, double seconds) {
    CHECK(kind <= STATISTICS_ENUMERATED);
    kind_statistics *k = &s->kinds[kind];
    k->seconds += seconds;
    k->differences += result->difference.kind != DIFFERENCE_NONE;
    if (!result->tested) {
        k->skipped++;
        return;
    }
    k->programs++;
    k->traces += result->traces;
    k->many += result->traces > 50;
    k->wide += result->threads >= 3;
    k->stuck += result->stuck;
    k->errors += result->errors;
    k->fell_back += result->fell_back;
    k->shuffled += result->shuffled;
    k->compared += result->compared;
    k->reduced += result->reduced;
    k->executions += result->executions;
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        k->features[i] += result->features >> i & 1;
    }
}

kind_statistics statistics_total(const statistics *s) {
    kind_statistics total = {0};
    for (uint32_t i = 0; i <= STATISTICS_ENUMERATED; i++) {
        const kind_statistics *k = &s->kinds[i];
        total.programs += k->programs;
        total.skipped += k->skipped;
        total.traces += k->traces;
        total.many += k->many;
        total.wide += k->wide;
        total.stuck += k->stuck;
        total.errors += k->errors;
        total.fell_back += k->fell_back;
        total.shuffled += k->shuffled;
        total.compared += k->compared;
        total.reduced += k->reduced;
        total.executions += k->executions;
        for (uint32_t f = 0; f < FEATURE_COUNT; f++) {
            total.features[f] += k->features[f];
        }
        total.differences += k->differences;
        total.seconds += k->seconds;
    }
    return total;
}

static double percentage(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print_row(const char *name, const kind_statistics *k) {
    uint64_t all = k->programs + k->skipped;
    printf("%-11s %9" PRIu64 " %8" PRIu64 " %12" PRIu64
           " %7.1f%% %8.1f%% %7.1f%% %7.1f%% %7.1f%% %6.2f %8" PRIu64 "\n",
           name, k->programs, k->skipped, k->traces, percentage(k->many, k->programs),
           percentage(k->wide, k->programs), percentage(k->stuck, k->programs),
           percentage(k->errors, k->programs), percentage(k->fell_back, k->programs),
           all ? 1000.0 * k->seconds / (double)all : 0.0, k->differences);
}

/* One line: how many of the programs had what. */
static void print_features(const kind_statistics *total) {
    static const char *const words[] = {
#define FEATURE_WORD(name, word, instruction) word,
        FEATURES(FEATURE_WORD)
#undef FEATURE_WORD
    };
    printf("%" PRIu64 " programs, of them with", total->programs);
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        printf(" %s %" PRIu64 " (%.0f%%),", words[i], total->features[i],
               percentage(total->features[i], total->programs));
    }
    printf(" work in random order %" PRIu64 " (%.0f%%); fell back %" PRIu64 " (%.0f%%)\n",
           total->shuffled, percentage(total->shuffled, total->programs), total->fell_back,
           percentage(total->fell_back, total->programs));
    if (total->compared) {
        printf(
            "states compared: fewer executions in %.1f%% of the programs, %.1f%% of all traces\n",
            percentage(total->reduced, total->compared),
            percentage(total->executions, total->traces));
    }
}

void statistics_print(const statistics *s) {
    printf("%-11s %9s %8s %12s %8s %9s %8s %8s %8s %6s %8s\n", "kind", "programs", "skipped",
           "traces", "> 50", ">= 3 thr", "stuck", "errors", "handed", "ms", "differ");
    for (uint32_t i = 0; i < generator_kind_count(); i++) {
        if (s->kinds[i].programs + s->kinds[i].skipped > 0) {
            print_row(generator_kind_name(i), &s->kinds[i]);
        }
    }
    kind_statistics total = statistics_total(s);
    print_row("total", &total);
    print_features(&total);
}
