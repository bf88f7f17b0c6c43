/* What `heddle cc` links for use without heddle: an ordinary executable of a program's objects,
 * which configure scripts and test runners can start, and ordinary shared libraries. The calls that
 * the compiler has put into the objects go to libheddle-alone.a (lib/alone.c). */
#ifndef HEDDLE_TARGETS_NATIVE_ALONE_H
#define HEDDLE_TARGETS_NATIVE_ALONE_H

#include "targets/native/building.h"

/* Links the executable that belongs to `output`; `path`, in the directory of the build, is "" if it
 * does not link: a program may need what only heddle provides, such as undetermined values. */
bool alone_link_program(building *, const char *output, char *path);

/* Links a shared library as `output`, and its objects into one, `objects`, in the directory. */
bool alone_link_shared(building *, const char *output, char *objects);

#endif
