/* What other programs, such as compilers, print to the standard error output of this process is
 * kept in a file and printed at the end, so that both the user and reports get it. */
#ifndef HEDDLE_SUPERVISE_CAPTURE_H
#define HEDDLE_SUPERVISE_CAPTURE_H

#include <stdio.h>

typedef struct capture {
    FILE *file; /* NULL: no file could be created, and the output goes only to the user */
    int standard_error;
} capture;

/* Starts; the file is created at `path`. */
void capture_begin(capture *, const char *path);

/* Stops, and prints what was kept. */
void capture_end(capture *);

/* Calls `take` with each line; to be called after capture_end. */
void capture_lines(capture *, void (*take)(void *context, const char *line), void *context);

void capture_free(capture *);

#endif
