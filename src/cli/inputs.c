#include "cli/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/inputs.h"

enum { READ_SIZE = 1 << 16 };

/* ---- the standard input ---- */

/* From a pipe to a file, which takes its place. */
static bool make_file_of_input(void) {
    char buffer[READ_SIZE];
    ssize_t count;
    FILE *file = tmpfile();
    bool good = file != NULL;
    while (good && (count = read(STDIN_FILENO, buffer, sizeof buffer)) != 0) {
        good = count > 0 ? fwrite(buffer, 1, (size_t)count, file) == (size_t)count : errno == EINTR;
    }
    good = good && fflush(file) == 0 && dup2(fileno(file), STDIN_FILENO) >= 0 &&
           lseek(STDIN_FILENO, 0, SEEK_SET) == 0;
    if (file) {
        fclose(file);
    }
    return good;
}

static bool read_rest(bytes *out) {
    unsigned char buffer[READ_SIZE];
    off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    ssize_t count = 0;
    while (at >= 0 && (count = pread(STDIN_FILENO, buffer, sizeof buffer, at)) > 0) {
        vector_append(&out->content, buffer, (uint32_t)count);
        at += count;
    }
    return at >= 0 && count == 0;
}

static bool read_input(text *line) {
    bytes all = {0};
    bool good = !isatty(STDIN_FILENO) &&
                (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0 || make_file_of_input()) && read_rest(&all);
    if (good) {
        input_of_standard(line, all.content.items, all.content.count);
    }
    bytes_free(&all);
    return good;
}

/* ---- files ---- */

static void read_file(const char *path, text *line) {
    bytes all = {0};
    unsigned char buffer[READ_SIZE];
    errno = 0;
    FILE *file = fopen(path, "r");
    int error = file ? 0 : errno;
    size_t count;
    while (file && (count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        vector_append(&all.content, buffer, (uint32_t)count);
    }
    if (file) {
        fclose(file);
    }
    input_of_file(line, path, error, all.content.items, all.content.count);
    bytes_free(&all);
}

/* ---- lines ---- */

/* "variable NAME CHECKSUM": the name. */
static void take_name(const char *line, text *name) {
    const char *start = line + strlen(INPUT_VARIABLE), *end = strrchr(start, ' ');
    text_append_bytes(name, start, end ? (uint32_t)(end - start) : 0);
}

/* "file CHECKSUM PATH": the path. */
static const char *path_of(const char *line) {
    const char *space = strchr(line + strlen(INPUT_FILE), ' ');
    return space ? space + 1 : "";
}

/* What the line would be now, and in words what it is about. */
static void look_again(const char *line, text *now, text *what) {
    if (text_starts(line, INPUT_VARIABLE)) {
        text name = {0};
        take_name(line, &name);
        input_of_variable(now, text_string(&name));
        text_format(what, "the environment variable %s", text_string(&name));
        text_free(&name);
    } else if (text_starts(line, INPUT_ENVIRONMENT)) {
        input_of_environment(now);
        text_append(what, "the environment (the program can read all of it)");
    } else if (text_starts(line, INPUT_STANDARD)) {
        text_append(what, read_input(now) ? "the standard input"
                                          : "the standard input, which cannot be read now,");
    } else {
        read_file(path_of(line), now);
        text_format(what, "the file %s", path_of(line));
    }
}

static bool is_same(const char *line, text *message) {
    text now = {0}, what = {0};
    look_again(line, &now, &what);
    bool same = strcmp(text_string(&now), line) == 0;
    if (!same) {
        text_format(message,
                    "%s is not the same as when the program read it and the checkpoint was made: "
                    "restore it, or start the exploration over",
                    text_string(&what));
    }
    text_free(&now);
    text_free(&what);
    return same;
}

bool inputs_are_same(const stretch_list *list, text *message) {
    tally all = {0};
    stretches_add_up(list, &all);
    bool same = true;
    for (uint32_t i = 0; i < all.inputs.count && same; i++) {
        same = is_same(text_string(&vector_at(&all.inputs, i)), message);
    }
    tally_free(&all);
    return same;
}
