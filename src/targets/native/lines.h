/* Text files, read and edited line by line. */
#ifndef HEDDLE_TARGETS_NATIVE_LINES_H
#define HEDDLE_TARGETS_NATIVE_LINES_H

#include <stdbool.h>
#include <stdio.h>

/* Calls `visit` for every line of what can be read there. */
void lines_read(FILE *, void (*visit)(void *context, char *line), void *context);

/* The first part of an editor of files. */
typedef struct line_editor {
    /* Writes to `out` what takes the place of the line; after the last one, line is NULL. */
    void (*edit)(struct line_editor *, char *line);
    FILE *out;
    bool changed; /* something differs from the file, which is replaced then */
} line_editor;

bool lines_edit(line_editor *, const char *path);

/* A line of assembly begins with the label of that name. */
bool line_is_label(const char *line, const char *name);

/* Whether the rest of a .type directive, after the name, is ", @TYPE" (or, on some processors,
 * ", %TYPE"). */
bool line_has_type(const char *text, const char *type);

#endif
