/* Functions that change what libc and the kernel keep for the process. Rows of the table in
 * symbols.h. */
#ifndef HEDDLE_RUNTIME_SYMBOLS_PROCESS_H
#define HEDDLE_RUNTIME_SYMBOLS_PROCESS_H

#include <pthread.h>
#include <stdint.h>
#include <sys/select.h> /* sigset_t; signal.h may include unistd.h, whose `access` is not ours */

// clang-format off
#define RUNTIME_PROCESS_SYMBOLS(X) \
    X(atexit) X(on_exit) X(at_quick_exit) X(pthread_atfork) X(signal) X(sigaction) \
    X(siginterrupt) X(sigaltstack) X(pthread_sigmask) X(sigprocmask) X(sigemptyset) \
    X(sigfillset) X(sigaddset) X(sigdelset) X(sigismember) X(kill) X(pthread_kill) X(getenv) \
    X(secure_getenv) X(setenv) X(unsetenv) X(putenv) X(clearenv) X(setlocale) X(mmap) X(mmap64) \
    X(munmap) X(mprotect) X(madvise) X(mlock) X(munlock) X(mlockall) X(munlockall)
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

char *heddle_getenv(const char *);
char *heddle_secure_getenv(const char *);
int heddle_setenv(const char *, const char *, int);
int heddle_unsetenv(const char *);
int heddle_putenv(char *);
int heddle_clearenv(void);
char *heddle_setlocale(int, const char *);

void *heddle_mmap(void *, size_t, int, int, int, int64_t);
void *heddle_mmap64(void *, size_t, int, int, int, int64_t);
int heddle_munmap(void *, size_t);
int heddle_mprotect(void *, size_t, int);
int heddle_madvise(void *, size_t, int);
int heddle_mlock(const void *, size_t);
int heddle_munlock(const void *, size_t);
int heddle_mlockall(int);
int heddle_munlockall(void);

#endif
