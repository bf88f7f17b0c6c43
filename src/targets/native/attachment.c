#include "targets/native/attachment.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last bytes of a file to which another one is attached. */
typedef struct trailer {
    uint64_t offset; /* where that begins; it ends where this does */
    char magic[8];
} trailer;

static const char magic[8] = {'h', 'e', 'd', 'd', 'l', 'e', '+', '1'};

static bool copy(int from, off_t start, off_t end, int to) {
    while (start < end) {
        ssize_t done = sendfile(to, from, &start, (size_t)(end - start));
        if (done <= 0) {
            return false;
        }
    }
    return true;
}

static off_t size_of(int file) {
    struct stat s;
    return fstat(file, &s) == 0 ? s.st_size : -1;
}

bool attachment_append(const char *output, const char *path) {
    int to = open(output, O_WRONLY | O_CLOEXEC), from = open(path, O_RDONLY | O_CLOEXEC);
    off_t place = to >= 0 ? lseek(to, 0, SEEK_END) : -1, size = from >= 0 ? size_of(from) : -1;
    trailer t = {.offset = (uint64_t)place};
    memcpy(t.magic, magic, sizeof magic);
    bool good = place >= 0 && size >= 0 && copy(from, 0, size, to) &&
                write(to, &t, sizeof t) == (ssize_t)sizeof t;
    if (!good && place >= 0 && ftruncate(to, place) != 0) {
        unlink(output);
    }
    if (from >= 0) {
        close(from);
    }
    return to >= 0 && close(to) == 0 && good;
}

/* Opens the file and finds what is attached to it; -1 if nothing is. */
static int find(const char *path, off_t *start, off_t *end) {
    trailer t;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *end = file >= 0 ? size_of(file) - (off_t)sizeof t : -1;
    bool found = *end >= 0 && pread(file, &t, sizeof t, *end) == (ssize_t)sizeof t &&
                 memcmp(t.magic, magic, sizeof magic) == 0 && t.offset <= (uint64_t)*end;
    if (!found && file >= 0) {
        close(file);
        file = -1;
    }
    *start = found ? (off_t)t.offset : 0;
    return file;
}

bool attachment_is_there(const char *path) {
    off_t start, end;
    int file = find(path, &start, &end);
    return file >= 0 && close(file) == 0;
}

int64_t attachment_place(const char *path) {
    off_t start, end;
    int file = find(path, &start, &end);
    if (file >= 0) {
        close(file);
        return start;
    }
    struct stat s;
    return stat(path, &s) == 0 ? s.st_size : -1;
}

bool attachment_extract(const char *path, const char *file) {
    off_t start, end;
    int from = find(path, &start, &end);
    if (from < 0) {
        return false;
    }
    int to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = to >= 0 && copy(from, start, end, to);
    close(from);
    return to >= 0 && close(to) == 0 && good;
}
