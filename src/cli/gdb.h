/* heddle replay --gdb: the program of a schedule under gdb, at the step that fails.
 *
 * The schedule is first replayed as usual, under the supervisor: so it is known whether it still
 * fits, and what its steps do, before a debugger opens. gdb then runs heddle again
 * (cli/debuggee.c), with heddle's commands (cli/gdb/), which are part of the executable. */
#ifndef HEDDLE_CLI_GDB_H
#define HEDDLE_CLI_GDB_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/job.h"

/* Whether the program can be debugged and there is a suitable gdb. False: `message` says what is
 * missing. */
bool gdb_is_possible(const settings *of_schedule, text *message);

/* After a replay that kept what was built: runs gdb, with the user's arguments, and returns its
 * exit status. `contents` is the text of the schedule file. */
int gdb_run(const settings *wanted, const job *, const char *contents);

#endif
