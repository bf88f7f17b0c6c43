#include "targets/native/openmp/openmp.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"

EMBEDDED(openmp_source, "src/targets/native/openmp/openmp.inc")

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
    bool good = out && fputs(openmp_source, out) >= 0;
    return (!out || fclose(out) == 0) && good;
}
