/* C programs: sources, objects, archives. */
#ifndef HEDDLE_CLI_NATIVE_H
#define HEDDLE_CLI_NATIVE_H

#include <stdbool.h>

#include "explore/target.h"
#include "report/schedule.h"
#include "report/text.h"

/* Builds and loads the program; false: `message` says why not. */
bool native_load(const subject *, target **, text *message);

#endif
