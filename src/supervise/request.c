#include "supervise/request.h"

#include <signal.h>

#include "base/monotonic.h"

static const double SAME_REQUEST = 1; /* seconds; nobody who waits is impatient before */

bool request_repeats(request *last, const struct signalfd_siginfo *info) {
    if (info->ssi_signo != SIGINT && info->ssi_signo != SIGTERM && info->ssi_signo != SIGHUP) {
        return false;
    }
    request now = {true, info->ssi_code == SI_USER ? info->ssi_pid : 0, monotonic_seconds()};
    bool by_same = now.sender && now.sender == last->sender;
    bool same = last->made &&
                (info->ssi_signo == SIGHUP || (by_same && now.time < last->time + SAME_REQUEST));
    if (!same) {
        *last = now;
    }
    return same;
}
