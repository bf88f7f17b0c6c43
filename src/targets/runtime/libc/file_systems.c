#define _GNU_SOURCE
/* What is known of the file system of a file. What others change while the program runs, how much
 * is free, is shown as if all of it were: it must be the same in every run. */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "base/check.h"
#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"

static int give_file_system(const char *path, struct statfs *place, const void *here) {
    struct statfs found;
    if (statfs(path, &found) != 0) {
        return -1;
    }
    CHECK(path && *path); /* it has been found */
    found.f_bfree = found.f_bavail = found.f_blocks;
    found.f_ffree = found.f_files;
    writes(place, sizeof *place, here);
    *place = found;
    return 0;
}

static int give_portable(const char *path, struct statvfs *place, const void *here) {
    struct statvfs found;
    if (statvfs(path, &found) != 0) {
        return -1;
    }
    CHECK(path && *path);
    found.f_bfree = found.f_bavail = found.f_blocks;
    found.f_ffree = found.f_favail = found.f_files;
    writes(place, sizeof *place, here);
    *place = found;
    return 0;
}

/* The path of what the descriptor reads; the root's for what has none. */
static const char *path_of(int descriptor, const void *here) {
    files_step(here);
    const open_file *file = files_at(descriptor);
    const char *path = file && file->content ? contents_at(file->content)->path : NULL;
    return !file ? NULL : path && *path ? path : "/";
}

int heddle_statfs(const char *path, struct statfs *place) {
    reads_string(path, HERE);
    return give_file_system(path, place, HERE);
}

int heddle_statvfs(const char *path, struct statvfs *place) {
    reads_string(path, HERE);
    return give_portable(path, place, HERE);
}

int heddle_fstatfs(int descriptor, struct statfs *place) {
    const char *path = path_of(descriptor, HERE);
    return path ? give_file_system(path, place, HERE) : fail_with(EBADF);
}

int heddle_fstatvfs(int descriptor, struct statvfs *place) {
    const char *path = path_of(descriptor, HERE);
    return path ? give_portable(path, place, HERE) : fail_with(EBADF);
}
