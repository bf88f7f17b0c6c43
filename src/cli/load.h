/* From what the user names (files, definitions, a one-line program) to a target that runs it. */
#ifndef HEDDLE_CLI_LOAD_H
#define HEDDLE_CLI_LOAD_H

#include <stdbool.h>

#include "explore/target.h"
#include "model/program.h"
#include "report/schedule.h"
#include "report/source.h"
#include "report/text.h"

typedef struct loaded {
    program program; /* of an abstract program: the target borrows it */
    bool has_program;
    target *target;
    source source;
} loaded;

/* False: `message` says what is wrong, with file, line and column where there are any. Call
 * loaded_free in both cases. */
bool load(loaded *, const subject *, text *message);
void loaded_free(loaded *);

#endif
