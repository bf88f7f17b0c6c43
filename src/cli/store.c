#define _GNU_SOURCE
#include "cli/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct store {
    text directory; /* the first one to be tried, or nothing */
    int file;       /* -1: not yet */
    bool failed;
    uint64_t end;       /* of the file */
    uint64_t in_file;   /* bytes */
    uint64_t in_memory; /* bytes, */
    uint64_t most;      /* the most that should be in memory */
    text complaint;
} store;

static store all = {.file = -1, .most = STORE_MOST};

/* ---- life ---- */

void store_open(const char *path, uint64_t memory_limit) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    CHECK(all.file < 0 && !all.in_memory);
    uint64_t most = memory_limit ? memory_limit / STORE_PART : STORE_MOST;
    all.most = most < STORE_MOST ? most : STORE_MOST;
    const char *given = getenv("HEDDLE_STORE_BYTES");
    all.most = given ? strtoull(given, NULL, 10) : all.most;
    text_clear(&all.directory);
    if (path) {
        text_append_bytes(&all.directory, slash ? path : ".",
                          slash ? (uint32_t)(slash - path) + 1 : 1);
    }
}

void store_close(void) {
    CHECK(!all.in_file && !all.in_memory);
    if (all.file >= 0) {
        close(all.file);
    }
    text_free(&all.directory);
    text_free(&all.complaint);
    all = (store){.file = -1, .most = STORE_MOST};
}

static void complain(const char *doing) {
    if (!all.failed) {
        text_format(&all.complaint, "cannot %s the file for work that is left: %s", doing,
                    strerror(errno));
    }
    all.failed = true;
}

const char *store_complaint(void) {
    return all.failed ? text_string(&all.complaint) : NULL;
}

/* ---- the file ---- */

/* An unnamed file; not all file systems can create one directly. */
static int open_in(const char *directory) {
    text name = {0};
    int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        text_format(&name, "%s/heddle-XXXXXX", directory);
        file = mkostemp((char *)text_string(&name), O_CLOEXEC);
        if (file >= 0) {
            unlink(text_string(&name));
        }
    }
    text_free(&name);
    return file;
}

static bool open_file(void) {
    const char *variable = getenv("TMPDIR");
    const char *directories[] = {text_length(&all.directory) ? text_string(&all.directory) : NULL,
                                 variable, "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories && all.file < 0; i++) {
        all.file = directories[i] ? open_in(directories[i]) : -1;
    }
    return all.file >= 0;
}

static bool write_all(const unsigned char *at, size_t size, uint64_t place) {
    while (size) {
        ssize_t written = pwrite(all.file, at, size, (off_t)place);
        if (written <= 0 && errno != EINTR) {
            return false;
        }
        written = written > 0 ? written : 0;
        at += written;
        place += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(unsigned char *to, size_t size, uint64_t place) {
    while (size) {
        ssize_t count = pread(all.file, to, size, (off_t)place);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            errno = count == 0 ? EIO : errno;
            return false;
        }
        count = count > 0 ? count : 0;
        to += count;
        place += (uint64_t)count;
        size -= (size_t)count;
    }
    return true;
}

static bool write_out(stored *s, const bytes *content) {
    if ((all.file < 0 && !open_file()) ||
        !write_all(content->content.items, content->content.count, all.end)) {
        complain("write");
        return false;
    }
    s->place = all.end + 1;
    all.end += s->size;
    all.in_file += s->size;
    return true;
}

/* If the system cannot free parts of a file, it keeps its length until all of it is free. */
static void release(const stored *s) {
    CHECK(all.in_file >= s->size);
    all.in_file -= s->size;
    if (all.in_file) {
        fallocate(all.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->place - 1,
                  s->size);
    } else if (ftruncate(all.file, 0) == 0) {
        all.end = 0;
    }
}

/* ---- blocks ---- */

void stored_free(stored *s) {
    if (s->place) {
        release(s);
    } else {
        all.in_memory -= s->size;
    }
    bytes_free(&s->content);
    *s = (stored){0};
}

void stored_put(stored *s, bytes *content) {
    stored_free(s);
    s->size = content->content.count;
    bool little = all.in_memory + s->size <= all.most;
    if (!s->size || little || all.failed || !write_out(s, content)) {
        s->content = *content;
        all.in_memory += s->size;
        *content = (bytes){0};
    }
    bytes_free(content);
}

bool stored_get(const stored *s, bytes *out) {
    if (!s->place) {
        bytes_put_bytes(out, &s->content);
        return true;
    }
    uint32_t before = out->content.count;
    vector_resize(&out->content, before + s->size);
    bool good = read_all(out->content.items + before, s->size, s->place - 1);
    if (!good) {
        out->content.count = before;
        complain("read");
    }
    return good;
}
