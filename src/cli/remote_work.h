/* The assignment of a process on another rank (worker.h), as bytes.
 *
 * It contains the program as it was built on rank 0, so that all ranks run the same code at the
 * same addresses, and need neither the sources nor a compiler nor the same file system. */
#ifndef HEDDLE_CLI_REMOTE_WORK_H
#define HEDDLE_CLI_REMOTE_WORK_H

#include "base/settings.h"
#include "cli/texts.h"
#include "cli/worker.h"

typedef struct remote_work {
    text_list words; /* of the command line; those of the settings are borrowed from here */
    text directory, contents;
    settings settings;
    job job;
    assignment assignment;
} remote_work;

/* False: what was built cannot be read. */
bool remote_work_encode(const assignment *, bytes *out);

/* Writes what was built to the directory, if anything was. False: `message` says what is wrong.
 * Free it in both cases; it must not be moved. */
bool remote_work_decode(remote_work *, byte_reader *, const char *directory, text *message);
void remote_work_free(remote_work *);

#endif
