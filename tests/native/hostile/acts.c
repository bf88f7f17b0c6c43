/* Programs that end, damage or deceive the process that runs them; -DACT=… says how. The second
 * thread does it, after a step of its own. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "raw.h"

int x;

enum {
    EXIT_GROUP = 1,
    EXIT,
    KILL_SELF,
    KILL_GROUP,
    CLOSE_ALL,
    LIMITS,
    SECCOMP,
    HANDLERS,
    FORK,
    CHANGE_FOLDER,
    STOP_SELF,
    OPEN_FILES,
    ALARM,
    TERMINATE,
    EXIT_SEVENTY,
    FILL_CHANNEL,
    KILL_PARENT
};

static void act(void) {
    struct rlimit none = {0};
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } ignore = {(void *)1, 0, 0, 0};
    switch (ACT) {
        case EXIT_GROUP: raw(SYS_exit_group, 0, 0, 0, 0); break;
        case EXIT: raw(SYS_exit, 0, 0, 0, 0); break;
        case EXIT_SEVENTY: raw(SYS_exit_group, 70, 0, 0, 0); break;
        case KILL_SELF: raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGKILL, 0, 0); break;
        case KILL_GROUP: raw(SYS_kill, 0, SIGKILL, 0, 0); break;
        case TERMINATE: raw(SYS_kill, 0, SIGTERM, 0, 0); break;
        case STOP_SELF: raw(SYS_kill, 0, SIGSTOP, 0, 0); break;
        case CLOSE_ALL: raw(SYS_close_range, 0, ~0u, 0, 0); break;
        case OPEN_FILES:
            raw(SYS_close_range, 0, ~0u, 0, 0);
            for (int i = 0; i < 2000; i++) {
                raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0);
            }
            break;
        case LIMITS:
            raw(SYS_setrlimit, RLIMIT_AS, (long)&none, 0, 0);
            raw(SYS_setrlimit, RLIMIT_NOFILE, (long)&none, 0, 0);
            raw(SYS_setrlimit, RLIMIT_FSIZE, (long)&none, 0, 0);
            break;
        case SECCOMP: raw(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0); break;
        case HANDLERS:
            for (int i = 1; i < 65; i++) {
                raw(SYS_rt_sigaction, i, (long)&ignore, 0, 8);
            }
            break;
        case ALARM: raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGALRM, 0, 0); break;
        case FORK: raw(SYS_fork, 0, 0, 0, 0); break;
        case CHANGE_FOLDER: raw(SYS_chdir, (long)"/", 0, 0, 0); break;
        case FILL_CHANNEL:
            for (int i = 3; i < 70000; i++) {
                raw(SYS_write, i, (long)"heddle: all is well\n", 20, 0);
            }
            break;
        case KILL_PARENT: raw(SYS_kill, raw(SYS_getppid, 0, 0, 0, 0), SIGTERM, 0, 0); break;
    }
}

static void *run(void *unused) {
    x = 1;
    act();
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    x = 3;
    pthread_join(thread, 0);
    return 0;
}
