/* One source to one object. C: the compiler with heddle's flags, then the assembler. In between,
 * what heddle does not cover is marked (marks.h), so that it is known when it is reached, however
 * and whenever the object is linked. Assembly is assembled, and counts as code that heddle did not
 * compile. */
#ifndef HEDDLE_TARGETS_NATIVE_COMPILE_H
#define HEDDLE_TARGETS_NATIVE_COMPILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "targets/native/native.h"

typedef struct compilation {
    const char *compiler;     /* NULL: gcc */
    bool optimize;            /* the faithful -O1 */
    const char *const *flags; /* those for the linker are left out */
    uint32_t flag_count;
    const char *source, *object;
    char stem[NATIVE_PATH_SIZE]; /* of temporary files */
} compilation;

#define COMPILE_DEFAULT "gcc"

static inline const char *compile_command(const char *wanted) {
    return wanted ? wanted : COMPILE_DEFAULT;
}

bool compile_is_clang(const char *compiler);

/* By its suffix: C, or assembly. */
bool compile_is_source(const char *path);
bool compile_is_other_language(const char *path); /* C++ */

/* Flags that only the linker understands, and whether the next word belongs to them. */
bool compile_is_link_flag(const char *flag, bool *two_words);

/* As far as assembly, or all of it if that is the source; to be waited for (command_wait). */
pid_t compile_start(const compilation *);

/* The rest. */
bool compile_finish(const compilation *);

#endif
