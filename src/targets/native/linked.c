#include "targets/native/linked.h"

#include <stdio.h>

#include "base/embedded.h"

EMBEDDED(linked_bounds, HEDDLE_LINKED "bounds.o")
EMBEDDED(linked_entry, HEDDLE_LINKED "entry.o")

static bool write_file(const char *path, const char *begin, const char *end) {
    size_t size = (size_t)(end - begin);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(begin, 1, size, file) == size;
    return (!file || fclose(file) == 0) && good;
}

bool linked_write_bounds(const char *path) {
    return write_file(path, linked_bounds, linked_bounds_end);
}

bool linked_write_entry(const char *path) {
    return write_file(path, linked_entry, linked_entry_end);
}
