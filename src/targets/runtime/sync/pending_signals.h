/* Signals that are blocked when they are sent, and waits for them: sigwait and its relatives,
 * sigsuspend, and delivery when a thread unblocks them.
 *
 * Nothing here is asynchronous. A signal that its receiver blocks becomes pending; it is taken by a
 * step of the receiver. A signal to another thread that does not block it could arrive at any point
 * of that thread, and is unsupported. Who looks at the mask of another thread makes changes of
 * masks matter: in a program that has pending signals, these are steps. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_PENDING_SIGNALS_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_PENDING_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/check.h"

enum { PENDING_SIGNALS_THREADS = 256 };

/* A bit for each signal; a standard signal is pending at most once. */
typedef struct pending_signals {
    uint64_t process; /* for whoever takes or unblocks it first */
    uint64_t threads[PENDING_SIGNALS_THREADS];
    uint64_t alarm; /* microseconds until SIGALRM, or 0 (alarm.c) */
} pending_signals;

struct runtime_thread;

static inline uint64_t signal_bit(int number) {
    DEBUG_CHECK(number >= 1 && number <= 64);
    return (uint64_t)1 << (number - 1);
}

/* The calling thread sends a signal that it blocks to itself, or to the process. */
void pending_signals_raise(int number, const void *return_address);
void pending_signals_kill(int number, const void *return_address);

/* As tgkill does. */
int pending_signals_send(pid_t process, pid_t thread, int number, const void *return_address);

/* The mask of the calling thread becomes this; what it unblocks is delivered. */
void pending_signals_set_mask(uint64_t mask, const void *return_address);

/* The program handles SIGALRM, or waits for it: an alarm that is set would matter. */
void alarm_require_none(const void *return_address);

/* It is ignored from now on: it is pending for nobody. */
void pending_signals_discard(int number, const void *return_address);

#endif
