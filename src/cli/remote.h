/* A heddle that works for the one on rank 0 (ranks.h): it starts one process after the other on
 * request, and passes on messages to it and from it, and how it ended. On rank 0, a stand-in
 * represents that process (stand_in.h). */
#ifndef HEDDLE_CLI_REMOTE_H
#define HEDDLE_CLI_REMOTE_H

/* Works until rank 0 no longer needs it. Returns the exit status of this process. */
int remote_run(void);

#endif
