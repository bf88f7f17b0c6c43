/* Steps of the functions of streams, which are items of the table of files (files.h), streams in
 * memory (memory_streams.h), or the standard input; the standard output and error take no steps.
 *
 * A FILE of libc is a block of its heap: to use one that was closed, or none at all, is an error of
 * the program, and not one that a function returns. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_STREAM_STEP_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_STREAM_STEP_H

#include <stdio.h>

/* On this stream alone, or on the files; then it is open, or its descriptor was closed. */
void stream_step(FILE *stream, const void *return_address);

/* Without a step: it may have been closed. */
void stream_require(FILE *stream, const void *return_address);

#endif
