/* heddle replay --gdb: the program of a schedule under gdb, at the step that fails.
 *
 * The schedule is first replayed as always, under the supervisor: whether it still fits is known
 * before a debugger opens, and what its steps do in words. gdb then runs heddle once more
 * (cli/debuggee.c), with commands of heddle's own (cli/gdb/), which are part of the
 * executable. */
#ifndef HEDDLE_CLI_GDB_H
#define HEDDLE_CLI_GDB_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/job.h"

/* Whether there is something to debug, and a gdb that can. False: `message` says what is missing.
 */
bool gdb_is_possible(const settings *of_schedule, text *message);

/* A replay has ended that kept what was built: runs gdb, with the arguments that the user wants,
 * and returns its exit status. `contents` is the text of the schedule file. */
int gdb_run(const settings *wanted, const job *, const char *contents);

#endif
