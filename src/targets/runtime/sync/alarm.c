/* Alarms that would end the process if it took too long: they never come, since time passes only
 * while nothing else can happen, and what is blocked forever is reported as such. An alarm that the
 * program handles or waits for could come anywhere, and is not supported. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/pending_signals.h"

enum { SECOND_US = 1000000 };

static uint64_t *alarm_of_process(void) {
    return &((pending_signals *)hidden_data(HIDDEN_PENDING))->alarm;
}

_Noreturn static void refuse(const void *here) {
    heddle_unsupported("an alarm that the program handles or waits for", here);
}

/* Returns what was left of the one before. */
static uint64_t set_alarm(uint64_t microseconds, const void *here) {
    uint64_t bit = signal_bit(SIGALRM);
    if (microseconds &&
        (runtime.current->signal_mask & bit || signals_has_handler(SIGALRM, here))) {
        refuse(here);
    }
    hidden_change(HIDDEN_PENDING, here);
    uint64_t before = *alarm_of_process();
    *alarm_of_process() = microseconds;
    return before;
}

void alarm_require_none(const void *here) {
    if (!runtime.current || !hidden_changes(HIDDEN_PENDING)) {
        return;
    }
    hidden_read(HIDDEN_PENDING, here);
    if (*alarm_of_process()) {
        refuse(here);
    }
}

unsigned heddle_alarm(unsigned seconds) {
    uint64_t left = set_alarm((uint64_t)seconds * SECOND_US, HERE);
    return (unsigned)((left + SECOND_US - 1) / SECOND_US);
}

unsigned heddle_ualarm(unsigned microseconds, unsigned interval) {
    (void)interval;
    return (unsigned)set_alarm(microseconds, HERE);
}

int heddle_setitimer(int which, const void *fresh, void *old) {
    struct itimerval wanted;
    if (which != ITIMER_REAL) {
        heddle_unsupported("setitimer other than ITIMER_REAL", HERE);
    }
    reads(fresh, sizeof wanted, HERE);
    memcpy(&wanted, fresh, sizeof wanted);
    uint64_t left = set_alarm(
        (uint64_t)wanted.it_value.tv_sec * SECOND_US + (uint64_t)wanted.it_value.tv_usec, HERE);
    if (old) {
        struct itimerval before = {.it_value = {.tv_sec = (time_t)(left / SECOND_US),
                                                .tv_usec = (suseconds_t)(left % SECOND_US)}};
        writes(old, sizeof before, HERE);
        memcpy(old, &before, sizeof before);
    }
    return 0;
}
