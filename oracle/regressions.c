#include "oracle/regressions.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/finding.h"
#include "oracle/hash.h"
#include "oracle/print.h"
#include "oracle/shrink.h"

#define REPLAY_SECONDS 120

static uint32_t text_hash(const char *text) {
    hash h = {11, 12};
    for (; *text; text++) {
        h = hash_append(h, (unsigned char)*text);
    }
    return (uint32_t)h.low;
}

void regressions_store(const char *directory, const char *text, const difference *d) {
    char path[512], line[PRINT_SIZE];
    snprintf(line, sizeof line, "%s", text);
    print_flatten(line);
    snprintf(path, sizeof path, "%s/%s-%08x.txt", directory, d->strategy, text_hash(line));
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "heddle-fuzz: cannot write %s\n", path);
        return;
    }
    fprintf(out, "# %s, %s: %s (%s)\n%s\n", d->strategy, d->policy, difference_meaning(d->kind),
            d->detail, line);
    fclose(out);
    printf("  kept as %s\n", path);
}

static uint64_t replay_program(const char *text, const defendant *defendants, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        differ_result result;
        shrink_test(&defendants[i], text, DIFFER_POLICIES_MANY, REPLAY_SECONDS, &result);
        if (result.difference.kind != DIFFERENCE_NONE) {
            printf("difference in a regression:\n");
            finding_print(&result.difference, text);
            return 1;
        }
    }
    return 0;
}

static uint64_t replay_file(const char *path, const defendant *defendants, uint32_t count,
                            uint64_t *tested) {
    char line[PRINT_SIZE];
    uint64_t differences = 0;
    FILE *in = fopen(path, "r");
    if (!in) {
        return 0;
    }
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != '#' && line[strspn(line, " \t")] != 0) {
            differences += replay_program(line, defendants, count);
            ++*tested;
        }
    }
    fclose(in);
    return differences;
}

static int not_hidden(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

uint64_t regressions_replay(const char *path, const defendant *defendants, uint32_t count,
                            uint64_t *tested) {
    struct dirent **entries;
    uint64_t differences = 0;
    int entry_count = scandir(path, &entries, not_hidden, alphasort);
    if (entry_count < 0) {
        return replay_file(path, defendants, count, tested);
    }
    for (int i = 0; i < entry_count; i++) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        differences += replay_file(file, defendants, count, tested);
        free(entries[i]);
    }
    free(entries);
    return differences;
}
