#include "base/path.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

const char *path_shown(const char *path) {
    char directory[4096];
    if (*path != '/' || !getcwd(directory, sizeof directory)) {
        return path;
    }
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_end_unlike(const char *path, const char *other) {
    const char *at = path + strlen(path), *there = other + strlen(other);
    while (at > path && there > other && at[-1] == there[-1]) {
        at--;
        there--;
    }
    while (at > path && at[-1] != '/') {
        at--;
    }
    return at;
}

bool path_has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}
