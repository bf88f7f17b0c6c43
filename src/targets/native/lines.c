#define _GNU_SOURCE
#include "targets/native/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/native.h"

void lines_read(FILE *file, void (*visit)(void *, char *), void *context) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        visit(context, line);
    }
    free(line);
}

static void edit_line(void *context, char *line) {
    line_editor *e = context;
    e->edit(e, line);
}

bool lines_edit(line_editor *e, const char *path) {
    char edited[NATIVE_PATH_SIZE + 16];
    snprintf(edited, sizeof edited, "%s.edited", path);
    FILE *in = fopen(path, "r");
    e->out = fopen(edited, "w");
    bool good = in && e->out;
    if (good) {
        lines_read(in, edit_line, e);
        e->edit(e, NULL);
    }
    good = good && !ferror(in) && !ferror(e->out);
    good = (!in || fclose(in) == 0) && good;
    good = (!e->out || fclose(e->out) == 0) && good;
    return good && (e->changed ? rename(edited, path) : remove(edited)) == 0;
}

bool line_is_label(const char *line, const char *name) {
    return *name && text_starts(line, name) && line[strlen(name)] == ':';
}

bool line_has_type(const char *text, const char *type) {
    text += strspn(text, ", \t");
    return (*text == '@' || *text == '%') && text_starts(text + 1, type);
}
