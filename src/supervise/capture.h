/* What other programs print to the standard error output of this process, as compilers do, is kept
 * in a file and printed at the end: so that it reaches the user, and reports as well. */
#ifndef HEDDLE_SUPERVISE_CAPTURE_H
#define HEDDLE_SUPERVISE_CAPTURE_H

#include <stdio.h>

typedef struct capture {
    FILE *file; /* NULL: there can be none, and what is printed goes to the user alone */
    int standard_error;
} capture;

/* From here on; the file is made at `path`. */
void capture_begin(capture *, const char *path);

/* Prints what was kept. */
void capture_end(capture *);

/* Calls `take` with each line; after the end. */
void capture_lines(capture *, void (*take)(void *context, const char *line), void *context);

void capture_free(capture *);

#endif
