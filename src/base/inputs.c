#include "base/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

extern char **environ;

static void append_checksum(text *line, const void *data, size_t size) {
    text_format(line, "%016llx", (unsigned long long)bytes_checksum(data, size));
}

void input_of_variable(text *line, const char *name) {
    const char *value = getenv(name);
    text_format(line, INPUT_VARIABLE "%s ", name);
    if (value) {
        append_checksum(line, value, strlen(value));
    } else {
        text_append(line, "unset");
    }
}

/* Different in every shell, or for tests of heddle. */
static bool is_ignored(const char *variable) {
    static const char *const beginnings[] = {"PWD=", "OLDPWD=", "SHLVL=", "_=", "HEDDLE_"};
    return text_starts_with_any(variable, beginnings, sizeof beginnings / sizeof *beginnings);
}

void input_of_environment(text *line) {
    text all = {0};
    for (char **v = environ; v && *v; v++) {
        if (!is_ignored(*v)) {
            text_append_bytes(&all, *v, (uint32_t)strlen(*v) + 1);
        }
    }
    text_append(line, INPUT_ENVIRONMENT);
    append_checksum(line, text_string(&all), text_length(&all));
    text_free(&all);
}

void input_of_standard(text *line, const void *data, size_t size) {
    text_append(line, INPUT_STANDARD);
    append_checksum(line, data, size);
}

void input_of_file(text *line, const char *path, int error, const void *data, size_t size) {
    text_append(line, INPUT_FILE);
    if (error) {
        text_format(line, "error-%d", error);
    } else {
        append_checksum(line, data, size);
    }
    text_format(line, " %s", path);
}
