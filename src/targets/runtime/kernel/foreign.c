#include "targets/runtime/kernel/foreign.h"

#include "base/vector.h"

typedef struct watched {
    uintptr_t low;
    size_t size;
    uintptr_t *reached;
} watched;

static VECTOR(watched) variables;

void foreign_watch(uintptr_t low, size_t size, uintptr_t *reached) {
    vector_push(&variables, ((watched){low, size, reached}));
}

void foreign_close(void) {
    vector_free(&variables);
}

void foreign_access(uintptr_t address, const void *return_address) {
    for (uint32_t i = 0; i < variables.count; i++) {
        const watched *w = &vector_at(&variables, i);
        if (address - w->low < w->size && !*w->reached) {
            *w->reached = (uintptr_t)return_address;
        }
    }
}
