/* The execution in which a worker has died, from what the worker said before it began
 * (MESSAGE_ITEM) and from the steps that it has left behind (explore/trail.h). */
#ifndef HEDDLE_CLI_LAST_EXECUTION_H
#define HEDDLE_CLI_LAST_EXECUTION_H

#include "report/finding.h"

/* Its message, of kind ERROR_UNFINISHED. */
#define LAST_EXECUTION_MESSAGE "the processes that explored this were ended"

/* Of the item that it was doing: equal if it was the same one. */
uint64_t last_execution_item(const finding *announced);

/* The steps that were taken take the place of those that were announced, unless what the witness
 * has makes no sense. Returns how many more there were than are kept of an execution. */
uint64_t last_execution_complete(finding *announced, const void *witness);

#endif
