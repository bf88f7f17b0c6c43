#include "base/path.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

const char *path_shown(const char *path) {
    char folder[4096];
    if (*path != '/' || !getcwd(folder, sizeof folder)) {
        return path;
    }
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}
