/* Precompiled headers. The compiler makes them without heddle's flags, so it refuses them when it
 * compiles with these, and reads the header instead. Meson has the header in another directory,
 * where it is not looked for: beside the precompiled one there is then a header that includes it.
 *
 * Rejected: precompiling with heddle's flags, which differ between the compilations of one source
 * (atomic_reads.h); and none of them would accept it in a file that was preprocessed before. */
#ifndef HEDDLE_TARGETS_NATIVE_PRECOMPILED_H
#define HEDDLE_TARGETS_NATIVE_PRECOMPILED_H

#include <stdbool.h>

/* The header was precompiled to `output`: what includes it by the name of that finds it. */
bool precompiled_add_header(const char *output, const char *header);

#endif
