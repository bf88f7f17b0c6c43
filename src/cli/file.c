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
        text_format(message, "cannot read %s: it is a folder; name the files in it", path);
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

bool file_write(const char *path, const char *contents, text *message) {
    FILE *stream = fopen(path, "w");
    if (!stream) {
        return fail(message, "write", path);
    }
    bool written = fputs(contents, stream) != EOF;
    written = fclose(stream) == 0 && written;
    return written || fail(message, "write", path);
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
