/* Shared libraries that the program is linked with. Their code is not under control: the functions
 * called are named one by one (build.c), and here the libraries that use threads themselves. */
#ifndef HEDDLE_NATIVE_LIBRARIES_H
#define HEDDLE_NATIVE_LIBRARIES_H

/* Calls `found` with the file name of each such library, and the first of the functions of threads
 * and locks that it uses. `handle` is dlopen's of the program. */
void libraries_with_threads(void *handle,
                            void (*found)(void *context, const char *library, const char *function),
                            void *context);

#endif
