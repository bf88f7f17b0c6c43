#include "targets/native/openmp/openmp.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"

EMBEDDED(openmp_members, "src/targets/native/openmp/openmp.inc")
EMBEDDED(openmp_tasks, "src/targets/native/openmp/tasks.inc")
EMBEDDED(openmp_taskloops, "src/targets/native/openmp/taskloops.inc")
EMBEDDED(openmp_teams, "src/targets/native/openmp/teams.inc")
EMBEDDED(openmp_loops, "src/targets/native/openmp/loops.inc")
EMBEDDED(openmp_functions, "src/targets/native/openmp/functions.inc")

bool openmp_is_used(const object_symbols *symbols) {
    for (uint32_t i = 0; i < symbols->items.count; i++) {
        const object_symbol *s = &vector_at(&symbols->items, i);
        if (!s->defined && (text_starts(s->name, "GOMP_") || text_starts(s->name, "omp_"))) {
            return true;
        }
    }
    return false;
}

bool openmp_write(const char *path) {
    FILE *out = fopen(path, "w");
    bool good = out && fprintf(out, "%s\n%s\n%s\n%s\n%s\n%s", openmp_members, openmp_tasks,
                               openmp_taskloops, openmp_teams, openmp_loops, openmp_functions) > 0;
    return (!out || fclose(out) == 0) && good;
}
