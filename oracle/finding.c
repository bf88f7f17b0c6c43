#include "oracle/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oracle/generator.h"
#include "oracle/print.h"
#include "oracle/regressions.h"
#include "oracle/shrink.h"

#define SHRUNK_MOST     3
#define ATTEMPT_SECONDS 60

void finding_print(const difference *d, const char *text) {
    char line[PRINT_SIZE];
    snprintf(line, sizeof line, "%s", text);
    print_flatten(line);
    printf("  %s, %s: %s (%s)\n  %s\n", d->strategy[0] ? d->strategy : "?",
           d->policy[0] ? d->policy : "?", difference_meaning(d->kind), d->detail, line);
    fflush(stdout);
}

/* How often this strategy has shown this kind of difference, this time included. */
static uint32_t count_sort(finding_list *list, const difference *d) {
    for (uint32_t i = 0; i < list->sort_count; i++) {
        if (list->sorts[i].kind == d->kind && strcmp(list->sorts[i].strategy, d->strategy) == 0) {
            return ++list->sorts[i].count;
        }
    }
    if (list->sort_count < FINDING_SORTS) {
        list->sorts[list->sort_count].kind = d->kind;
        list->sorts[list->sort_count].count = 1;
        snprintf(list->sorts[list->sort_count].strategy, sizeof d->strategy, "%s", d->strategy);
        list->sort_count++;
    }
    return 1;
}

/* Which strategy it is, and the difference when the program runs alone under all policies. NULL:
 * it does not show again. */
static const defendant *find_culprit(const campaign *c, const char *text, bool *errors,
                                     difference *d) {
    for (uint32_t i = 0; i < c->defendant_count; i++) {
        const defendant *who = &c->defendants[i];
        differ_result result;
        if (d->strategy[0] && strcmp(d->strategy, who->class->name) != 0) {
            continue;
        }
        shrink_test(who, text, c->policies, ATTEMPT_SECONDS, &result);
        if (result.difference.kind != DIFFERENCE_NONE) {
            *d = result.difference;
            *errors = result.errors;
            return who;
        }
    }
    return NULL;
}

void finding_report(finding_list *list, const campaign *c, uint64_t index,
                    const difference *found) {
    sketch s;
    printed text;
    difference d = *found;
    uint32_t kind;
    if (!campaign_program(c, index, &s, &kind)) {
        return;
    }
    print_sketch(&s, &text);
    if (c->enumerator) {
        printf("difference in program %" PRIu64 ":\n", index);
        finding_print(&d, text.text);
        return; /* it is small already */
    }
    printf("difference in program %" PRIu64 " of seed %" PRIu64 " (%s):\n", index, c->request.seed,
           generator_kind_name(kind));
    finding_print(&d, text.text);
    bool errors = false;
    const defendant *who = find_culprit(c, text.text, &errors, &d);
    if (!who || count_sort(list, &d) > SHRUNK_MOST) {
        return;
    }
    shrink_sketch(&s, who, errors, &d);
    print_sketch(&s, &text);
    printf("  shrunk:\n");
    finding_print(&d, text.text);
    if (c->directory) {
        regressions_store(c->directory, text.text, &d);
    }
}
