#include "native/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native/native.h"

static char present[NATIVE_PATH_SIZE]; /* the latest folder, while it is there */

static void remove_present(void) {
    if (present[0]) {
        char path[NATIVE_PATH_SIZE];
        snprintf(path, sizeof path, "%s", present);
        folder_remove(path);
    }
}

bool folder_create(char *path, char *message) {
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent) {
        parent = "/tmp";
    }
    snprintf(path, NATIVE_PATH_SIZE, "%s/heddle-XXXXXX", parent);
    if (!mkdtemp(path)) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "cannot make a folder in %s: %s", parent,
                 strerror(errno));
        path[0] = '\0';
        return false;
    }
    static bool registered;
    if (!registered) { /* whoever calls exit leaves nothing behind */
        registered = true;
        atexit(remove_present);
    }
    snprintf(present, sizeof present, "%s", path);
    return true;
}

void folder_remove(const char *path) {
    if (strcmp(path, present) == 0) {
        present[0] = '\0';
    }
    DIR *folder = opendir(path);
    if (!folder) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    closedir(folder);
    rmdir(path);
}

bool folder_of_headers(char *path) {
    char file[NATIVE_PATH_SIZE + 32];
    ssize_t length = readlink("/proc/self/exe", path, NATIVE_PATH_SIZE - 1);
    if (length <= 0) {
        return false;
    }
    path[length] = '\0';
    for (char *slash; (slash = strrchr(path, '/'));) {
        *slash = '\0';
        snprintf(file, sizeof file, "%s/include/heddle.h", path);
        if (access(file, R_OK) == 0) {
            strncat(path, "/include", NATIVE_PATH_SIZE - strlen(path) - 1);
            return true;
        }
    }
    return false;
}
