#include "targets/native/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "targets/native/native.h"

#define PREFIX "heddle-"
#define LOCK   "lock"

enum {
    UNLOCKED_SECONDS = 3600
}; /* a directory without a lock that is older belongs to no living process */

static char present[NATIVE_PATH_SIZE]; /* the latest directory, while it is there */
static int present_lock = -1;

void directory_remove_present(void) {
    if (present[0]) {
        char path[NATIVE_PATH_SIZE];
        snprintf(path, sizeof path, "%s", present);
        directory_remove(path);
    }
}

/* ---- directories of dead processes ---- */

static void join(char *path, const char *directory, const char *name) {
    snprintf(path, NATIVE_PATH_SIZE, "%.*s/%.*s", NATIVE_PATH_SIZE / 2, directory,
             NATIVE_PATH_SIZE / 2 - 2, name);
}

/* A process that uses a directory holds a lock in it, which the kernel releases however the
 * process ends. */
static bool is_abandoned(const char *path) {
    char lock[NATIVE_PATH_SIZE];
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
        return false;
    }
    join(lock, path, LOCK);
    int file = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return errno == ENOENT && time(NULL) - status.st_mtime > UNLOCKED_SECONDS;
    }
    bool free = flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return free;
}

static void remove_abandoned(const char *parent) {
    char path[NATIVE_PATH_SIZE];
    DIR *directory = opendir(parent);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (text_starts(entry->d_name, PREFIX)) {
            join(path, parent, entry->d_name);
            if (is_abandoned(path)) {
                directory_remove(path);
            }
        }
    }
    if (directory) {
        closedir(directory);
    }
}

/* ---- our own ---- */

/* The lock is held from the moment its file is visible. */
static void take_lock(const char *path) {
    char lock[NATIVE_PATH_SIZE], unlocked[NATIVE_PATH_SIZE];
    join(lock, path, LOCK);
    join(unlocked, path, LOCK ".new");
    present_lock = open(unlocked, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (present_lock >= 0) {
        flock(present_lock, LOCK_EX);
        rename(unlocked, lock);
    }
}

bool directory_create(char *path, char *message) {
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent) {
        parent = "/tmp";
    }
    remove_abandoned(parent);
    snprintf(path, NATIVE_PATH_SIZE, "%s/" PREFIX "XXXXXX", parent);
    if (!mkdtemp(path)) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "cannot create a directory in %s: %s", parent,
                 strerror(errno));
        path[0] = '\0';
        return false;
    }
    static bool registered;
    if (!registered) { /* no files are left when the process calls exit */
        registered = true;
        atexit(directory_remove_present);
    }
    snprintf(present, sizeof present, "%s", path);
    take_lock(path);
    return true;
}

void directory_remove(const char *path) {
    if (strcmp(path, present) == 0) {
        present[0] = '\0';
        if (present_lock >= 0) {
            close(present_lock);
            present_lock = -1;
        }
    }
    DIR *directory = opendir(path);
    if (!directory) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    closedir(directory);
    rmdir(path);
}

bool directory_of_headers(char *path) {
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

bool directory_find_library(const char *name, char *path) {
    static const char *const places[] = {"", "../lib/"};
    char here[NATIVE_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(here, '/');
    for (uint32_t i = 0; i < 2 && slash; i++) {
        int written = snprintf(path, NATIVE_PATH_SIZE, "%.*s/%s%s", (int)(slash - here), here,
                               places[i], name);
        if (written < NATIVE_PATH_SIZE && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}
