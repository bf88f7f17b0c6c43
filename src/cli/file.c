#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(text *message, const char *doing, const char *path) {
    text_format(message, "cannot %s %s: %s", doing, path, strerror(errno));
    return false;
}

static bool read_stream(FILE *stream, text *contents) {
    char buffer[1 << 14];
    size_t count;
    errno = 0;
    while ((count = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        text_append_bytes(contents, buffer, (uint32_t)count);
    }
    return !ferror(stream);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool file_check(const char *path, text *message) {
    struct stat status;
    FILE *stream = fopen(path, "r");
    if (!stream) {
        return fail(message, "read", path);
    }
    bool directory = fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode);
    fclose(stream);
    if (directory) {
        text_format(message, "cannot read %s: is a directory; name the files in it", path);
    }
    return !directory;
}

bool file_read(const char *path, text *contents, text *message) {
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "r");
    if (!stream) {
        return fail(message, "read", path);
    }
    bool complete = read_stream(stream, contents) || fail(message, "read", path);
    if (!standard) {
        fclose(stream);
    }
    if (complete && strlen(text_string(contents)) != text_length(contents)) {
        text_format(message, "cannot read %s: it is not a text file (it has a NUL byte)", path);
        return false;
    }
    return complete;
}

bool file_read_bytes(const char *path, bytes *contents, text *message) {
    text read = {0};
    FILE *stream = fopen(path, "r");
    bool complete = stream && read_stream(stream, &read);
    if (complete) {
        vector_resize(&contents->content, text_length(&read));
        memcpy(contents->content.items, text_string(&read), text_length(&read));
    } else {
        fail(message, "read", path);
    }
    if (stream) {
        fclose(stream);
    }
    text_free(&read);
    return complete;
}

/* An empty file cannot be mapped. */
static bool map(file_view *v, int descriptor) {
    struct stat status;
    *v = (file_view){.start = (const unsigned char *)""};
    if (fstat(descriptor, &status) != 0) {
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        errno = EINVAL;
        return false;
    }
    if (!status.st_size) {
        return true;
    }
    void *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start == MAP_FAILED) {
        return false;
    }
    *v = (file_view){.start = start, .size = (size_t)status.st_size};
    return true;
}

bool file_map(file_view *v, const char *path, text *message) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait for a pipe */
    bool mapped = descriptor >= 0 && map(v, descriptor);
    if (!mapped) {
        fail(message, "read", path);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return mapped;
}

void file_unmap(file_view *v) {
    if (v->size) {
        munmap((void *)v->start, v->size);
    }
}

uint64_t file_hash(const char *path) {
    bytes contents = {0};
    text ignored = {0};
    uint64_t hash = 0;
    if (file_read_bytes(path, &contents, &ignored)) {
        hash = bytes_checksum(contents.content.items, contents.content.count);
    }
    bytes_free(&contents);
    text_free(&ignored);
    return hash;
}

/* No file exists. */
static bool may_create(const char *path, text *message) {
    text directory = {0};
    const char *slash = strrchr(path, '/');
    text_append_bytes(&directory, slash ? path : ".", slash ? (uint32_t)(slash - path) + 1 : 1);
    bool may = access(text_string(&directory), W_OK | X_OK) == 0 || fail(message, "write", path);
    text_free(&directory);
    return may;
}

static bool begins_with(FILE *stream, const char *beginning) {
    char start[256];
    size_t wanted = strlen(beginning), count = fread(start, 1, sizeof start, stream);
    return count == 0 || (count >= wanted && memcmp(start, beginning, wanted) == 0);
}

bool file_may_replace(const char *path, const char *beginning, const char *kind, text *message) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return errno == ENOENT ? may_create(path, message) : fail(message, "write", path);
    }
    if (S_ISDIR(status.st_mode)) {
        text_format(message, "cannot write %s: is a directory", path);
        return false;
    }
    if (access(path, W_OK) != 0) {
        return fail(message, "write", path);
    }
    FILE *stream = S_ISREG(status.st_mode) && status.st_size ? fopen(path, "r") : NULL;
    bool may = !stream || begins_with(stream, beginning);
    if (stream) {
        fclose(stream);
    }
    if (!may) {
        text_format(message, "%s exists and is not %s: name another file, or remove it", path,
                    kind);
    }
    return may;
}

bool file_is_ordinary(const char *path, text *message) {
    struct stat status;
    bool ordinary = stat(path, &status) != 0 || S_ISREG(status.st_mode);
    if (!ordinary) {
        text_format(message, "cannot write %s: it is not a regular file; name another", path);
    }
    return ordinary;
}

bool file_write(const char *path, const char *contents, text *message) {
    FILE *stream = fopen(path, "w");
    if (!stream) {
        return fail(message, "write", path);
    }
    bool written = fputs(contents, stream) != EOF;
    written = fclose(stream) == 0 && written;
    return written || fail(message, "write", path);
}

/* In the same directory, with a unique name that no pattern for the file matches. */
static int create_beside(const char *path, text *name) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    text_append_bytes(name, path, (uint32_t)(base - path));
    text_format(name, ".%s.XXXXXX", base);
    char *made = strdup(text_string(name));
    int descriptor = made ? mkstemp(made) : -1;
    if (descriptor >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        text_clear(name);
        text_append(name, made);
    }
    free(made);
    return descriptor;
}

/* Replaces the target of a symbolic link, not the link. */
void file_draft_open(file_draft *d, const char *path) {
    *d = (file_draft){0};
    char *real = realpath(path, NULL);
    text_append(&d->path, real ? real : path);
    free(real);
    int descriptor = create_beside(text_string(&d->path), &d->fresh);
    d->stream = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    d->failed = !d->stream;
}

void file_draft_add(file_draft *d, const void *start, size_t size) {
    d->failed = d->failed || (size && fwrite(start, 1, size, d->stream) != size);
}

uint64_t file_draft_checksum(file_draft *d) {
    uint64_t sum = 0;
    file_view all;
    d->failed = d->failed || fflush(d->stream) != 0 || !map(&all, fileno(d->stream));
    if (!d->failed) {
        sum = bytes_checksum(all.start, all.size);
        file_unmap(&all);
    }
    return sum;
}

bool file_draft_close(file_draft *d, bool wanted, text *message) {
    const char *path = text_string(&d->path), *fresh = text_string(&d->fresh);
    bool written = wanted && !d->failed && fflush(d->stream) == 0 && fsync(fileno(d->stream)) == 0;
    written = d->stream && fclose(d->stream) == 0 && written;
    written = written && rename(fresh, path) == 0;
    if (!written && wanted) {
        fail(message, "write", path);
    }
    if (!written) {
        unlink(fresh);
    }
    text_free(&d->path);
    text_free(&d->fresh);
    return written;
}

bool file_replace(const char *path, const void *contents, size_t size, text *message) {
    file_draft d;
    file_draft_open(&d, path);
    file_draft_add(&d, contents, size);
    return file_draft_close(&d, true, message);
}

const char *file_directory(void) {
    static char directory[4096];
    return getcwd(directory, sizeof directory);
}

bool file_enter_directory(const char *path) {
    return chdir(path) == 0;
}
