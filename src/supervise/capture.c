#include "supervise/capture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void capture_begin(capture *c, const char *path) {
    fflush(stderr);
    *c = (capture){.file = fopen(path, "w+e"), .standard_error = dup(STDERR_FILENO)};
    if (c->file) {
        dup2(fileno(c->file), STDERR_FILENO);
    }
}

void capture_end(capture *c) {
    char buffer[4096];
    size_t count;
    fflush(stderr);
    dup2(c->standard_error, STDERR_FILENO);
    close(c->standard_error);
    if (!c->file) {
        return;
    }
    rewind(c->file);
    while ((count = fread(buffer, 1, sizeof buffer, c->file)) > 0) {
        fwrite(buffer, 1, count, stderr);
    }
    fflush(stderr);
}

void capture_lines(capture *c, void (*take)(void *, const char *), void *context) {
    char *line = NULL;
    size_t size = 0;
    if (!c->file) {
        return;
    }
    rewind(c->file);
    while (getline(&line, &size, c->file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        take(context, line);
    }
    free(line);
}

void capture_free(capture *c) {
    if (c->file) {
        fclose(c->file);
    }
}
