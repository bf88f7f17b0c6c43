#include "targets/runtime/libc/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/memory_streams.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/cancel.h"

enum { FIRST_MASK = 022 };
_Static_assert(FILES_FIRST == STDERR_FILENO + 1, "the standard ones come first");

static open_file *files(void) {
    return files_table()->items;
}

void files_step(const void *return_address) {
    hidden_change(HIDDEN_FILES, return_address);
}

static int index_of(const open_file *file) {
    CHECK(file >= files() && file < files() + FILES_MAX);
    return (int)(file - files());
}

int files_number(const open_file *file) {
    int item = index_of(file);
    for (int i = 0; i < FILES_MAX && !file->stream; i++) {
        if (files_table()->numbers[i] == item + 1) {
            return i;
        }
    }
    return file->stream ? file->stream - 1 : item;
}

open_file *files_at(int descriptor) {
    if (descriptor < 0 || descriptor >= FILES_MAX) {
        return NULL;
    }
    uint8_t number = files_table()->numbers[descriptor];
    CHECK(number <= FILES_MAX || number == FILES_CLOSED);
    return number == FILES_CLOSED     ? NULL
           : number                   ? &files()[number - 1]
           : descriptor < FILES_FIRST ? &files()[descriptor]
                                      : NULL;
}

int files_output(int descriptor) {
    const open_file *file = files_at(descriptor);
    int item = file ? index_of(file) : 0;
    return item == STDOUT_FILENO || item == STDERR_FILENO ? item : 0;
}

/* The standard input is read when it is first wanted. The watchdog must not take that for a hang.
 */
static void connect_input(open_file *file) {
    runtime_thread *t = runtime.current;
    runtime.current = NULL;
    file->content = contents_of_input();
    runtime.current = t;
    if (contents_at(file->content)->unsupported) {
        heddle_unsupported(contents_at(file->content)->unsupported,
                           (const void *)location_address(t->pending.location));
    }
    file->open = true;
}

/* Its content may have changed. */
static open_file *current(open_file *file) {
    system_files_refresh(file);
    return file;
}

open_file *files_of_descriptor(int descriptor) {
    open_file *file = files_at(descriptor);
    if (!file) {
        return NULL;
    }
    if (index_of(file) == STDIN_FILENO && !file->open) {
        connect_input(file);
    }
    if (file->source || file->target || file->socket) {
        heddle_unsupported("a pipe, socket or eventfd used as a file",
                           (const void *)location_address(runtime.current->pending.location));
    }
    return file->open ? current(file) : NULL;
}

open_file *files_to_write(int descriptor) {
    open_file *file = files_at(descriptor);
    return file && file->open && (file->system || file->sink) ? file : NULL;
}

/* A stream that is one of these files, or in memory; NULL: it is another one. */
static open_file *opened(FILE *stream) {
    uintptr_t offset = (uintptr_t)stream - (uintptr_t)files();
    open_file *file = (open_file *)stream;
    bool known = memory_streams_is(stream) || offset < FILES_MAX * sizeof *file;
    return known && file->open ? file : NULL;
}

open_file *files_of_output(FILE *stream) {
    open_file *file = opened(stream);
    return file && (file->memory ? file->writable : file->system || file->sink) ? file : NULL;
}

void files_note_failure(FILE *stream) {
    open_file *file = opened(stream);
    if (file) {
        file->failed = true;
    }
}

open_file *files_of_stream(FILE *stream) {
    if (stream == stdin) {
        return files_of_descriptor(0);
    }
    open_file *file = opened(stream);
    return file ? current(file) : NULL;
}

void files_share(open_file *file, int descriptor) {
    CHECK(descriptor >= FILES_FIRST && descriptor < FILES_MAX);
    CHECK(!files_table()->numbers[descriptor]);
    files_table()->numbers[descriptor] = (uint8_t)(index_of(file) + 1);
    file->descriptors++;
}

open_file *files_drop(int descriptor) {
    open_file *file = files_at(descriptor);
    uint8_t *number = &files_table()->numbers[descriptor];
    CHECK(file && (!*number || file->descriptors));
    file->descriptors -= *number != 0;
    *number = descriptor < FILES_FIRST ? FILES_CLOSED : 0;
    files_table()->closed |= UINT64_C(1) << descriptor;
    int item = index_of(file);
    bool standard = item < FILES_FIRST && !files_table()->numbers[item];
    return file->descriptors || standard ? NULL : file;
}

static int free_descriptor(void) {
    int i = FILES_FIRST;
    while (i < FILES_MAX && files_table()->numbers[i]) {
        i++;
    }
    return i;
}

open_file *files_new(void) {
    int descriptor = free_descriptor();
    for (int i = FILES_FIRST; i < FILES_MAX && descriptor < FILES_MAX; i++) {
        if (!files()[i].open) {
            files()[i] = (open_file){.open = true};
            files_share(&files()[i], descriptor);
            return &files()[i];
        }
    }
    heddle_unsupported("more than 61 files open at a time",
                       (const void *)location_address(runtime.current->pending.location));
}

_Static_assert(FILES_MAX - FILES_FIRST == 61, "the message names it");

static bool is_sink(const char *path) {
    return strcmp(path, "/dev/null") == 0;
}

/* As it is now; only ordinary files can be changed. */
static open_file *open_in_system(const char *path, int flags, unsigned mode) {
    open_file *file = files_new();
    CHECK(file->open && !file->system);
    if (system_files_open(file, path, flags, mode) != 0) {
        files_drop(files_number(file));
        file->open = false;
        return NULL;
    }
    return file;
}

static bool is_ordinary(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

open_file *files_open(const char *path, int flags, unsigned mode, const void *return_address) {
    if (files_changes(path, flags)) {
        system_files_change(return_address);
    } else {
        files_step(return_address);
    }
    if (system_files_allowed() && is_ordinary(path)) {
        return open_in_system(path, flags, mode);
    }
    uint32_t number = contents_of(path);
    const file_content *content = contents_at(number);
    if (content->unsupported) {
        heddle_unsupported(content->unsupported, return_address);
    }
    if (content->error) {
        errno = content->error;
        return NULL;
    }
    open_file *file = files_new();
    file->content = number;
    file->sink = is_sink(path);
    file->writable = (flags & O_ACCMODE) != O_RDONLY;
    return file;
}

const unsigned char *files_take(open_file *file, size_t size, size_t *taken) {
    const file_content *content = contents_at(file->content);
    uint64_t at = file->position < content->size ? file->position : content->size;
    *taken = size < content->size - at ? size : (size_t)(content->size - at);
    CHECK(at + *taken <= content->size);
    file->position += *taken;
    return content->data + at;
}

/* ---- descriptors ---- */

bool files_changes(const char *path, int flags) {
    bool writes_it = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    return writes_it && !is_sink(path);
}

int files_open_path(const char *name, const char *path, int flags, unsigned mode,
                    const void *here) {
    if (files_changes(path, flags)) {
        system_files_permit(name, here);
    }
    reads_string(path, here);
    cancel_point(location_of(here));
    const open_file *file = files_open(path, flags, mode, here);
    return file ? files_number(file) : -1;
}

/* Relative to the current directory, or to none. */
static void check_directory(int directory, const char *path, const char *function,
                            const void *here) {
    if (directory != AT_FDCWD && path[0] != '/') {
        heddle_unsupported(function, here);
    }
}

/* The mode is there if a file may be created. */
#define OPENS(name)                                                   \
    int heddle_##name(const char *path, int flags, ...) {             \
        va_list list;                                                 \
        va_start(list, flags);                                        \
        unsigned mode = flags & O_CREAT ? va_arg(list, unsigned) : 0; \
        va_end(list);                                                 \
        return files_open_path(#name, path, flags, mode, HERE);       \
    }

OPENS(open)
OPENS(open64)
#undef OPENS

int heddle_openat(int directory, const char *path, int flags, ...) {
    check_directory(directory, path, "openat relative to a directory", HERE);
    va_list list;
    va_start(list, flags);
    unsigned mode = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    return files_open_path("openat", path, flags, mode, HERE);
}

int heddle_creat(const char *path, mode_t mode) {
    return files_open_path("creat", path, O_WRONLY | O_CREAT | O_TRUNC, mode, HERE);
}

/* After a step on the files. */
static ssize_t take_bytes(int descriptor, void *place, size_t size, const int64_t *offset,
                          const void *here) {
    open_file *file = files_of_descriptor(descriptor);
    if (!file || file->unreadable) {
        return fail_with(EBADF);
    }
    uint64_t before = file->position;
    size_t taken;
    file->position = offset ? (uint64_t)*offset : before;
    const unsigned char *bytes = files_take(file, size, &taken);
    file->position = offset ? before : file->position;
    writes(place, taken, here);
    memcpy(place, bytes, taken);
    return (ssize_t)taken;
}

ssize_t files_read(int descriptor, void *place, size_t size, const void *here) {
    ssize_t result;
    if (!channels_is(descriptor)) {
        cancel_point(location_of(here));
    }
    if (!channels_are_used()) {
        files_step(here);
    } else if (channels_read(descriptor, place, size, true, &result, here)) {
        return result;
    }
    return take_bytes(descriptor, place, size, NULL, here);
}

ssize_t heddle_read(int descriptor, void *place, size_t size) {
    return files_read(descriptor, place, size, HERE);
}

ssize_t heddle_pread(int descriptor, void *place, size_t size, int64_t offset) {
    cancel_point(location_of(HERE));
    files_step(HERE);
    return take_bytes(descriptor, place, size, &offset, HERE);
}

static int64_t seek(int descriptor, int64_t offset, int origin, const void *here) {
    files_step(here);
    open_file *file = files_of_descriptor(descriptor);
    if (!file) {
        return fail_with(EBADF);
    }
    int64_t base = origin == SEEK_SET   ? 0
                   : origin == SEEK_CUR ? (int64_t)file->position
                                        : (int64_t)contents_at(file->content)->size;
    if (offset + base < 0) {
        return fail_with(EINVAL);
    }
    file->position = (uint64_t)(offset + base);
    return offset + base;
}

int64_t heddle_lseek(int descriptor, int64_t offset, int origin) {
    return seek(descriptor, offset, origin, HERE);
}

/* A step, unless it is one of those that programs begin with. */
static bool is_open(int descriptor, const void *here) {
    if (descriptor >= 0 && descriptor < FILES_FIRST) {
        return true;
    }
    hidden_read(HIDDEN_FILES, here);
    return files_at(descriptor);
}

int heddle_isatty(int descriptor) {
    return fail_with(is_open(descriptor, HERE) ? ENOTTY : EBADF) + 1;
}

int heddle_fsync(int descriptor) {
    cancel_point(location_of(HERE));
    return is_open(descriptor, HERE) ? 0 : fail_with(EBADF);
}

/* ---- what is known of a file ---- */

static int give_status(const file_content *content, struct stat *place, const void *here) {
    if (content->error) {
        return fail_with(content->error);
    }
    writes(place, sizeof *place, here);
    *place = content->status;
    return 0;
}

static int path_status(const char *path, struct stat *place, const void *here) {
    reads_string(path, here);
    if (system_files_allowed()) {
        struct stat status;
        files_step(here);
        int result = stat(path, &status);
        if (result == 0) {
            writes(place, sizeof *place, here);
            *place = status;
        }
        return result;
    }
    return give_status(contents_at(contents_of(path)), place, here);
}

static int descriptor_status(int descriptor, struct stat *place, const void *here) {
    files_step(here);
    const open_file *file = files_of_descriptor(descriptor);
    return file ? give_status(contents_at(file->content), place, here) : fail_with(EBADF);
}

int heddle_stat(const char *path, struct stat *place) {
    return path_status(path, place, HERE);
}

int heddle_fstat(int descriptor, struct stat *place) {
    return descriptor_status(descriptor, place, HERE);
}

static int link_status(const char *path, struct stat *place, const void *here) {
    struct stat status;
    reads_string(path, here);
    if (system_files_allowed()) {
        files_step(here);
    }
    if (lstat(path, &status) != 0) {
        return -1;
    }
    writes(place, sizeof *place, here);
    *place = status;
    return 0;
}

int heddle_lstat(const char *path, struct stat *place) {
    return link_status(path, place, HERE);
}

int heddle_fstatat(int directory, const char *path, struct stat *place, int flags) {
    check_directory(directory, path, "fstatat relative to a directory", HERE);
    return flags & AT_SYMLINK_NOFOLLOW ? link_status(path, place, HERE)
                                       : path_status(path, place, HERE);
}

static ssize_t link_text(const char *path, char *place, size_t size, const void *here) {
    char text[PATH_MAX];
    reads_string(path, here);
    if (system_files_allowed()) {
        files_step(here);
    }
    ssize_t length = readlink(path, text, size < sizeof text ? size : sizeof text);
    CHECK(length <= (ssize_t)sizeof text);
    if (length > 0) {
        writes(place, (size_t)length, here);
        memcpy(place, text, (size_t)length);
    }
    return length;
}

ssize_t heddle_readlink(const char *path, char *place, size_t size) {
    return link_text(path, place, size, HERE);
}

ssize_t heddle_readlinkat(int directory, const char *path, char *place, size_t size) {
    check_directory(directory, path, "readlinkat relative to a directory", HERE);
    return link_text(path, place, size, HERE);
}

static int check_access(const char *path, int mode, const void *here) {
    reads_string(path, here);
    if (system_files_allowed()) {
        files_step(here);
        return faccessat(AT_FDCWD, path, mode, 0);
    }
    const file_content *content = contents_at(contents_of(path));
    if (content->error) {
        return fail_with(content->error);
    }
    return mode & 2 ? fail_with(EACCES) : 0; /* nothing is written */
}

int heddle_access(const char *path, int mode) {
    return check_access(path, mode, HERE);
}

int heddle_faccessat(int directory, const char *path, int mode, int flags) {
    (void)flags; /* who asks is who owns the process */
    check_directory(directory, path, "faccessat relative to a directory", HERE);
    return check_access(path, mode, HERE);
}

/* Only the program sees the mask: files are created with heddle's. */
mode_t heddle_umask(mode_t mask) {
    files_step(HERE);
    mode_t before = files_table()->mask ^ FIRST_MASK;
    files_table()->mask = (mask & 0777) ^ FIRST_MASK;
    return before;
}
