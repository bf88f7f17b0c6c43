/* Signals that the program sends to itself. A handler is called like a function by the thread that
 * raises the signal, or unblocks it (sync/pending_signals.h); signals to threads that do not block
 * them, which can arrive at any point, are not supported. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SIGNALS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SIGNALS_H

#include <signal.h>
#include <stdint.h>

#include "targets/runtime/kernel/runtime.h"

enum { SIGNAL_COUNT = 65 };

/* handler: NULL is SIG_DFL */
typedef struct signal_action {
    void (*handler)(int);
    uint64_t mask;
    int flags;
} signal_action;

typedef struct signal_actions {
    signal_action items[SIGNAL_COUNT];
} signal_actions;

/* The calling thread sends itself the signal, at `here`. */
int signals_raise(int number, const void *here);

/* A signal that arrives calls a function of the program. */
bool signals_has_handler(int number, const void *here);

/* Acts upon a signal of the calling thread that is not blocked. False: it is ignored. */
bool signals_deliver(int number, const void *here);

#endif
