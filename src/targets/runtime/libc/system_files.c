#include "targets/runtime/libc/system_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/mapped_files.h"
#include "targets/runtime/libc/memory_streams.h"
#include "targets/runtime/memory/hidden.h"

static VECTOR(int) opened; /* in this execution */
static uint64_t changes;   /* so far */

bool system_files_allowed(void) {
    return runtime.settings.allow_files;
}

void system_files_permit(const char *function, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (t && !runtime.settings.allow_files) {
        runtime_fail(t, ERROR_UNSUPPORTED, location_of(return_address),
                     "unsupported without --allow-files: heddle runs the program many times, and "
                     "%s writes a file",
                     function);
    }
    if (t && t->section_depth) { /* a section is tried and undone */
        heddle_unsupported("changing files in an atomic section", return_address);
    }
}

void system_files_change(const void *return_address) {
    files_step(return_address);
    changes++;
}

/* Servers remove the path of their socket, in case it is still there: nothing changes if not. */
int heddle_unlink(const char *path) {
    if (!runtime.settings.allow_files && heddle_access(path, F_OK) != 0) {
        return -1;
    }
    system_files_permit("unlink", HERE);
    reads(path, strlen(path) + 1, HERE);
    system_files_change(HERE);
    return unlink(path);
}

bool system_files_changed(void) {
    return changes > 0;
}

static int keep(open_file *file, int system) {
    if (system < 0) {
        return -1;
    }
    CHECK(file->open && !file->system);
    vector_push(&opened, system);
    file->system = system + 1;
    file->seen = 0;
    return 0;
}

/* To read what was written, too, because the size of a file counts for its position. */
int system_files_open(open_file *file, const char *path, int flags, unsigned mode) {
    int access_mode = flags & O_ACCMODE, both = (flags & ~(O_ACCMODE | O_APPEND)) | O_RDWR;
    int system = access_mode == O_WRONLY ? open(path, both | O_CLOEXEC, mode) : -1;
    if (system < 0) {
        system = open(path, (flags & ~O_APPEND) | O_CLOEXEC, mode);
    }
    file->writable = access_mode != O_RDONLY;
    file->unreadable = access_mode == O_WRONLY;
    file->appends = flags & O_APPEND;
    int result = keep(file, system);
    if (flags & O_TRUNC) {
        mapped_files_check();
    }
    return result;
}

int system_files_adopt(int system) {
    if (system < 0) {
        return -1;
    }
    open_file *file = files_new();
    file->writable = true;
    return keep(file, system) == 0 ? files_number(file) : -1;
}

int system_files_descriptor(int descriptor) {
    const open_file *file = files_to_write(descriptor);
    if (!file || !file->system) {
        errno = EBADF;
        return -1;
    }
    return file->system - 1;
}

int system_files_directory(int descriptor) {
    return descriptor == AT_FDCWD ? AT_FDCWD : -1;
}

void system_files_refresh(open_file *file) {
    if (file->system && (!file->content || file->seen != changes)) {
        file->content = contents_now(file->system - 1);
        file->seen = changes;
    }
}

int64_t system_files_write(open_file *file, const void *data, size_t size, const int64_t *offset) {
    struct stat status;
    if (!file->writable) {
        errno = EBADF;
        return -1;
    }
    if (file->sink) {
        return (int64_t)size;
    }
    if (file->memory) {
        return memory_streams_write(file, data, size);
    }
    if (file->appends && fstat(file->system - 1, &status) == 0) {
        file->position = (uint64_t)status.st_size;
    }
    CHECK(file->system);
    changes++;
    int64_t at = offset ? *offset : (int64_t)file->position;
    int64_t written = pwrite(file->system - 1, data, size, at);
    mapped_files_check();
    if (written > 0 && !offset) {
        file->position += (uint64_t)written;
    }
    return written;
}

void system_files_reset(void) {
    for (uint32_t i = 0; i < opened.count; i++) {
        close(vector_at(&opened, i));
    }
    vector_clear(&opened);
    mapped_files_reset();
}

void system_files_close(void) {
    system_files_reset();
    vector_free(&opened);
    mapped_files_close();
    changes = 0;
}
