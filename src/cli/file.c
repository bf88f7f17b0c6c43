#include "cli/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
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

bool file_check(const char *path, text *message) {
    struct stat status;
    FILE *stream = fopen(path, "r");
    if (!stream) {
        return fail(message, "read", path);
    }
    bool folder = fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode);
    fclose(stream);
    if (folder) {
        text_format(message, "cannot read %s: is a directory; name the files in it", path);
    }
    return !folder;
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

/* Nothing is there. */
static bool may_create(const char *path, text *message) {
    text folder = {0};
    const char *slash = strrchr(path, '/');
    text_append_bytes(&folder, slash ? path : ".", slash ? (uint32_t)(slash - path) + 1 : 1);
    bool may = access(text_string(&folder), W_OK | X_OK) == 0 || fail(message, "write", path);
    text_free(&folder);
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

bool file_write(const char *path, const char *contents, text *message) {
    FILE *stream = fopen(path, "w");
    if (!stream) {
        return fail(message, "write", path);
    }
    bool written = fputs(contents, stream) != EOF;
    written = fclose(stream) == 0 && written;
    return written || fail(message, "write", path);
}

bool file_replace(const char *path, const void *contents, size_t size, text *message) {
    text fresh = {0};
    text_format(&fresh, "%s.new", path);
    FILE *stream = fopen(text_string(&fresh), "w");
    bool written = stream && fwrite(contents, 1, size, stream) == size && fflush(stream) == 0 &&
                   fsync(fileno(stream)) == 0;
    written = stream && fclose(stream) == 0 && written;
    written = written && rename(text_string(&fresh), path) == 0;
    if (!written) {
        fail(message, "write", path);
        unlink(text_string(&fresh));
    }
    text_free(&fresh);
    return written;
}

bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

const char *file_folder(void) {
    static char folder[4096];
    return getcwd(folder, sizeof folder);
}

bool file_enter_folder(const char *path) {
    return chdir(path) == 0;
}
