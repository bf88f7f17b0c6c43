/* A process that represents a worker on another rank: the supervisor starts it, sends it messages,
 * interrupts and ends it like any other, and it passes all of that on (supervise/wire.h). It sends
 * the other one's messages as its own, copies its status page, and ends as the other one did. So a
 * team need not know where its workers are. */
#ifndef HEDDLE_CLI_STAND_IN_H
#define HEDDLE_CLI_STAND_IN_H

#include "base/witness.h"
#include "cli/worker.h"
#include "supervise/supervisor.h"

/* The connection is the standard input of this process. */
void stand_in_work(const assignment *, uint32_t generation, channel *);

/* What both ends of the connection know about the process. `beat`: see role. */
void stand_in_put_status(bytes *out, const status_page *, uint64_t beat);
void stand_in_put_report(bytes *out, const child_report *);

#endif
