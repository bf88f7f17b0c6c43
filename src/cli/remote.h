/* A heddle that works for the one on rank 0 (ranks.h): it starts one process after the other on
 * request, and passes on what that is sent, what it sends, and how it ended. What rank 0 has in
 * place of that process is a stand-in (stand_in.h). */
#ifndef HEDDLE_CLI_REMOTE_H
#define HEDDLE_CLI_REMOTE_H

/* Until rank 0 has no more use for it. Returns the exit status of this process. */
int remote_run(void);

#endif
