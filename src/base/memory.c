#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/exit_status.h"

static _Thread_local size_t in_use;

void *memory_resize(void *block, size_t old_size, size_t new_size) {
    CHECK((block == NULL) == (old_size == 0));
    in_use += new_size - old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    char *moved = realloc(block, new_size);
    if (!moved) {
        fprintf(stderr, "heddle: out of memory (%zu bytes wanted)\n", new_size);
        _Exit(EXIT_INTERNAL);
    }
    if (new_size > old_size) {
        memset(moved + old_size, 0, new_size - old_size);
    }
    return moved;
}

size_t memory_in_use(void) {
    return in_use;
}
