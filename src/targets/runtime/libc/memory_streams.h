/* Streams without a file: open_memstream, fmemopen, tmpfile. What the program takes for a FILE is a
 * block of its heap that begins with an open_file (files.h), so that every stream is an object of
 * its own: threads that use different ones do not concern each other. What is in it is a content
 * (contents.h), a new one after each write; the program's memory is written when the stream is
 * flushed or closed. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_MEMORY_STREAMS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_MEMORY_STREAMS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct open_file;

/* The stream is one of these, closed or not. */
bool memory_streams_is(FILE *stream);

/* The step of a function of one: on this stream alone. */
void memory_streams_step(FILE *stream, const void *return_address);

/* Part of such a step. */
int64_t memory_streams_write(struct open_file *file, const void *data, size_t size);

/* Its recursive mutex. */
pthread_mutex_t *memory_streams_lock(FILE *stream);

/* Steps, as fflush and fclose do. */
int memory_streams_flush(FILE *stream, const void *return_address);
int memory_streams_close(FILE *stream, const void *return_address);

/* Of any stream: writes what is to be at the position that it leaves. As fflush does. */
int memory_streams_before_seek(FILE *stream, const void *return_address);
bool memory_streams_may_seek(const struct open_file *file, uint64_t position,
                             const void *return_address);

/* Of any stream: what is written to it is to be seen at once. */
void memory_streams_set_buffer(FILE *stream, const void *return_address);

/* As fileno does, after a step. */
int memory_streams_number(FILE *stream, const void *return_address);

#endif
