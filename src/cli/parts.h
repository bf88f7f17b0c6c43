/* Combines the parts of an exploration that was split. */
#ifndef HEDDLE_CLI_PARTS_H
#define HEDDLE_CLI_PARTS_H

#include "cli/checkpoint.h"

typedef struct part {
    const char *path;
    checkpoint checkpoint;
} part;

typedef VECTOR(part) part_list;

void parts_free(part_list *);

/* False: they are not parts of one exploration, and `message` says why. */
bool parts_belong_together(const part_list *, text *message);

/* Moves what they have done to the checkpoint, in the order in which one process would have done
 * it. A warning names every part that is missing, unfinished or duplicated; missing and unfinished
 * parts are not covered. */
void parts_merge(part_list *, checkpoint *);

#endif
