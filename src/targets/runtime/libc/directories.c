#define _GNU_SOURCE
/* Directories: what is in them is read once and stays the same, in the order of names. What the
 * program takes for a DIR is a block of its heap, with room for the entry that readdir returns. */
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/memory/heap.h"

typedef struct directory {
    int descriptor;
    struct dirent entry;
} directory;

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "readdir64 is the same");

DIR *heddle_opendir(const char *path) {
    reads_string(path, HERE);
    files_step(HERE);
    uint32_t number = contents_of_directory(path, system_files_allowed());
    if (contents_at(number)->error) {
        errno = contents_at(number)->error;
        return NULL;
    }
    directory *d = heap_allocate(sizeof *d, HERE);
    if (d) {
        open_file *file = files_new();
        file->content = number;
        undo_write((uintptr_t)d, sizeof *d);
        *d = (directory){.descriptor = files_number(file)};
        CHECK(d->descriptor >= FILES_FIRST && files_at(d->descriptor) == file);
    }
    return (DIR *)d;
}

/* A step, and the file; NULL: it is that of no directory. */
static open_file *begin(DIR *stream, const void *here) {
    const directory *d = (const directory *)stream;
    reads(&d->descriptor, sizeof d->descriptor, here);
    files_step(here);
    open_file *file = files_at(d->descriptor);
    return file && file->content ? file : NULL;
}

static const struct dirent *next(open_file *file) {
    size_t taken = 0;
    const unsigned char *entry = file ? files_take(file, sizeof(struct dirent), &taken) : NULL;
    CHECK(taken == 0 || taken == sizeof(struct dirent));
    return taken ? (const struct dirent *)entry : NULL;
}

struct dirent *heddle_readdir(DIR *stream) {
    const struct dirent *found = next(begin(stream, HERE));
    directory *d = (directory *)stream;
    if (found) {
        writes(&d->entry, sizeof d->entry, HERE);
        d->entry = *found;
    }
    return found ? &d->entry : NULL;
}

int heddle_readdir_r(DIR *stream, struct dirent *entry, struct dirent **result) {
    const struct dirent *found = next(begin(stream, HERE));
    if (found) {
        writes(entry, sizeof *entry, HERE);
        *entry = *found;
    }
    writes(result, sizeof *result, HERE);
    *result = found ? entry : NULL;
    return 0;
}

int heddle_closedir(DIR *stream) {
    open_file *file = begin(stream, HERE);
    if (!file) {
        errno = EBADF;
        return -1;
    }
    open_file *last = files_drop(((directory *)stream)->descriptor);
    if (last) {
        *last = (open_file){0};
    }
    heap_free(stream, HERE);
    return 0;
}

int heddle_dirfd(DIR *stream) {
    const directory *d = (const directory *)stream;
    reads(&d->descriptor, sizeof d->descriptor, HERE);
    return d->descriptor;
}

long heddle_telldir(DIR *stream) {
    const open_file *file = begin(stream, HERE);
    CHECK(!file || file->position % sizeof(struct dirent) == 0);
    return file ? (long)(file->position / sizeof(struct dirent)) : -1;
}

void heddle_seekdir(DIR *stream, long place) {
    open_file *file = begin(stream, HERE);
    if (file && place >= 0) {
        file->position = (uint64_t)place * sizeof(struct dirent);
    }
}

void heddle_rewinddir(DIR *stream) {
    heddle_seekdir(stream, 0);
}

/* ---- all at once ---- */

static struct dirent *copy_entry(const struct dirent *entry, const void *here) {
    size_t size = offsetof(struct dirent, d_name) + strlen(entry->d_name) + 1;
    struct dirent *copy = heap_allocate(size, here);
    if (copy) {
        undo_write((uintptr_t)copy, size);
        memcpy(copy, entry, size);
    }
    return copy;
}

/* Those that pass the filter, in a block of the program's heap. */
static struct dirent **choose(const file_content *content, int (*filter)(const struct dirent *),
                              int *count, const void *here) {
    const struct dirent *entries = (const struct dirent *)content->data;
    CHECK(content->directory && content->size % sizeof *entries == 0);
    size_t all = content->size / sizeof *entries;
    struct dirent **list = heap_allocate((all + 1) * sizeof *list, here);
    for (size_t i = 0; list && i < all; i++) {
        struct dirent *copy = copy_entry(&entries[i], here);
        if (filter && !filter(copy)) {
            heap_free(copy, here);
        } else {
            writes(&list[*count], sizeof *list, here);
            list[(*count)++] = copy;
        }
    }
    return list;
}

int heddle_scandir(const char *path, struct dirent ***result, int (*filter)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **)) {
    const void *here = HERE;
    int count = 0;
    reads_string(path, here);
    files_step(here);
    const file_content *content = contents_at(contents_of_directory(path, system_files_allowed()));
    if (content->error) {
        errno = content->error;
        return -1;
    }
    struct dirent **list = choose(content, filter, &count, here);
    if (!list) {
        return -1;
    }
    if (compare) {
        heddle_qsort(list, (size_t)count, sizeof *list,
                     (int (*)(const void *, const void *))(void (*)(void))compare);
    }
    writes(result, sizeof *result, here);
    *result = list;
    return count;
}
