/* The locks of streams: flockfile, and those that every function of a stream takes by itself. They
 * lie in an array of the program's own, so that everything about them is that of other recursive
 * mutexes; a program that never calls flockfile has no array, and its output takes no steps. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_STREAM_LOCKS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_STREAM_LOCKS_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

/* When the program was loaded: its array, of FILES_MAX; or NULL. */
void stream_locks_open(pthread_mutex_t *locks);

/* Steps, for a function of a stream: nobody else is in one. */
void stream_locks_enter(FILE *stream, const void *return_address);
void stream_locks_leave(FILE *stream, const void *return_address);

/* The same as the latter for a stream that was closed: nobody holds it any more. */
void stream_locks_end(FILE *stream, const void *return_address);

/* The name of the lock at this address; NULL: there is none. */
const char *stream_locks_name(uintptr_t address);

#endif
