#include "targets/native/openmp/openmp.h"

#include <string.h>

#include "base/text.h"

bool openmp_is_used(const object_symbols *symbols) {
    for (uint32_t i = 0; i < symbols->items.count; i++) {
        const object_symbol *s = &vector_at(&symbols->items, i);
        if (!s->defined && (text_starts(s->name, "GOMP_") || text_starts(s->name, "omp_"))) {
            return true;
        }
    }
    return false;
}
