/* Functions that change what libc and the kernel keep for the process. Rows of the table in
 * symbols.h. */
#ifndef HEDDLE_RUNTIME_SYMBOLS_PROCESS_H
#define HEDDLE_RUNTIME_SYMBOLS_PROCESS_H

#include <pthread.h>
#include <sys/select.h> /* sigset_t; signal.h may include unistd.h, whose `access` is not ours */

// clang-format off
#define RUNTIME_PROCESS_SYMBOLS(X) \
    X(atexit) X(on_exit) X(at_quick_exit) X(pthread_atfork) X(signal) X(sigaction) \
    X(siginterrupt) X(sigaltstack) X(pthread_sigmask) X(sigprocmask) X(sigemptyset) \
    X(sigfillset) X(sigaddset) X(sigdelset) X(sigismember) X(kill) X(pthread_kill)
// clang-format on

int heddle_atexit(void (*)(void));
int heddle_on_exit(void (*)(int, void *), void *);
int heddle_at_quick_exit(void (*)(void));
int heddle_pthread_atfork(void (*)(void), void (*)(void), void (*)(void));

struct sigaction;

void (*heddle_signal(int, void (*)(int)))(int);
int heddle_sigaction(int, const struct sigaction *, struct sigaction *);
int heddle_siginterrupt(int, int);
int heddle_sigaltstack(const void *, void *);
int heddle_pthread_sigmask(int, const sigset_t *, sigset_t *);
int heddle_sigprocmask(int, const sigset_t *, sigset_t *);
int heddle_sigemptyset(sigset_t *);
int heddle_sigfillset(sigset_t *);
int heddle_sigaddset(sigset_t *, int);
int heddle_sigdelset(sigset_t *, int);
int heddle_sigismember(const sigset_t *, int);
int heddle_kill(pid_t, int);
int heddle_pthread_kill(pthread_t, int);

#endif
