#include "cli/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t interrupt_requested;

static void handle(int signal_number) {
    if (interrupt_requested) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupt_requested = signal_number;
}

void interrupt_install(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
