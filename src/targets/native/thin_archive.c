#include "targets/native/thin_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/native/command.h"

static const char magic[] = "!<thin>\n";

bool thin_archive_is(const char *path) {
    char start[sizeof magic - 1];
    FILE *file = fopen(path, "r");
    bool thin =
        file && fread(start, sizeof start, 1, file) == 1 && memcmp(start, magic, sizeof start) == 0;
    if (file) {
        fclose(file);
    }
    return thin;
}

/* Adds the names of the members, which are to be freed. */
static bool add_members(command *c, const char *archive) {
    command list = {0};
    const char *words[] = {"ar", "t", archive, NULL};
    command_add(&list, words);
    pid_t process;
    FILE *names = command_read(&list, &process);
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while (names && (length = getline(&line, &size, names)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        vector_push(c, strdup(line));
    }
    free(line);
    vector_free(&list);
    bool read = names && fclose(names) == 0;
    return read && command_wait(process);
}

bool thin_archive_copy(const char *from, const char *to) {
    command c = {0};
    const char *words[] = {"ar", "qc", to, NULL};
    command_add(&c, words);
    uint32_t first = c.count;
    bool good = add_members(&c, from) && command_run(&c);
    for (uint32_t i = first; i < c.count; i++) {
        free((char *)vector_at(&c, i));
    }
    vector_free(&c);
    return good;
}
