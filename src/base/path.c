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

bool path_has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}
