/* OpenMP: a program that uses it gets one more object in place of libgomp. Its source is openmp.inc
 * and the parts that it names; make compiles them with heddle cc. The compiler has made functions
 * of parallel regions and tasks, which that source calls in threads of its own; to everything else
 * in heddle it is a program with POSIX threads.
 *
 * Rejected: libgomp itself, which heddle did not compile and whose threads wait by system calls of
 * their own. */
#ifndef HEDDLE_TARGETS_NATIVE_OPENMP_OPENMP_H
#define HEDDLE_TARGETS_NATIVE_OPENMP_OPENMP_H

#include <stdbool.h>

#include "targets/native/objects.h"

/* In the directory of heddle, or installed (targets/native/directory.h). */
#define OPENMP_OBJECT "heddle-openmp.o"

/* The program calls functions of OpenMP that it does not define. */
bool openmp_is_used(const object_symbols *symbols);

#endif
