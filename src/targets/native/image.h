/* The program in memory: loading its shared object, and where its writable segments, its text and
 * its thread-local variables are. */
#ifndef HEDDLE_TARGETS_NATIVE_IMAGE_H
#define HEDDLE_TARGETS_NATIVE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct image {
    void *handle;
    uintptr_t base;                     /* added to addresses of the file */
    int (*main)(int, char **, char **); /* NULL: it has none */
    char ***environment;                /* its variable `environ`, or NULL */
    void *stream_locks;                 /* those of its streams, or NULL */
    struct site *sites, *sites_end;     /* records of what was reached */
} image;

/* Loads it and registers it with the runtime's address space. */
bool image_load(image *, const char *path, char *message);
void image_unload(image *);

#endif
