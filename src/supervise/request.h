/* Whether a signal that asks to stop is a new request, or the last one again: a second request is
 * obeyed at once, and what was not saved by then is lost. Terminal and shell may each send SIGHUP,
 * and timeout(1) signals the process and then its group. */
#ifndef HEDDLE_SUPERVISE_REQUEST_H
#define HEDDLE_SUPERVISE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>

typedef struct request {
    bool made;
    uint32_t sender; /* the process that sent the last one; 0: the terminal */
    double time;     /* seconds */
} request;

bool request_repeats(request *, const struct signalfd_siginfo *);

#endif
