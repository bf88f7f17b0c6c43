/* Makes a target from what the user names: files, definitions, a one-line program. */
#ifndef HEDDLE_CLI_LOAD_H
#define HEDDLE_CLI_LOAD_H

#include <stdbool.h>

#include "base/settings.h"
#include "base/text.h"
#include "explore/target.h"
#include "targets/abstract/program.h"

typedef struct loaded {
    program program; /* of an abstract program: the target borrows it */
    bool has_program;
    target *target;
    bool native;             /* it is a C program */
    enum memory_model model; /* which algorithm is required */
    const char *caution;     /* a condition on the verdict, or NULL */
} loaded;

/* It is a C program, which has to be built before it is loaded. */
bool load_needs_build(const settings *);

/* Builds it in an existing directory; `path` has room for NATIVE_PATH_SIZE bytes and gets the path
 * of what was built. False: `message` says what is wrong, with file, line and column where there
 * are any. */
bool load_build(const settings *, const char *directory, char *path, text *message);

/* Loads it; `path` is what was built for a C program. False: as above. Call loaded_free in both
 * cases. */
bool load(loaded *, const settings *, const char *path, text *message);

/* Builds and loads it in this process. */
bool load_here(loaded *, const settings *, text *message);
void loaded_free(loaded *);

/* Before the first run: numbers threads as in a recorded schedule. False: there can be no thread of
 * that name. */
bool loaded_expect_thread(loaded *, uint32_t number, const char *name);

/* The same for what turned out to be shared. */
bool loaded_expect_shared(loaded *, const char *text);

/* Calls `warn` for what the user should know although it is not an error: memory that was lost,
 * files that were changed, addresses that are not fixed. */
void loaded_cautions(loaded *, void (*warn)(void *context, const char *words), void *context);

/* What the program has read from outside so far (base/inputs.h). */
void loaded_inputs(const loaded *, void (*note)(void *, const char *), void *context);

/* Calls `warn` for everything that executions have reached so far and that is not covered. */
void loaded_uncovered(loaded *, void (*warn)(void *context, const char *words), void *context);

#endif
