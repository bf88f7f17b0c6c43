#include "cli/interrupt.h"

#include <stddef.h>
#include <sys/time.h>

#include "targets/native/native.h"

volatile sig_atomic_t interrupt_requested;

static void handle(int signal_number) {
    if (interrupt_requested == SIGINT || interrupt_requested == SIGTERM) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupt_requested = signal_number;
    native_request_stop();
}

static void handle_timeout(int signal_number) {
    if (!interrupt_requested) {
        interrupt_requested = signal_number;
        native_request_stop();
    }
}

void interrupt_after(uint64_t milliseconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)(milliseconds / 1000),
                                           .tv_usec = (suseconds_t)(milliseconds % 1000 * 1000)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool interrupt_was_timeout(void) {
    if (interrupt_requested != SIGALRM) {
        return false;
    }
    interrupt_requested = 0;
    return true;
}

/* On a separate stack: the stacks of the program's threads belong to the program, and may not be
 * accessible (targets/runtime/kernel/stack.h). */
void interrupt_install(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = handle_timeout;
    sigaction(SIGALRM, &action, NULL);
}
