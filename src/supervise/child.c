#define _GNU_SOURCE
#include "supervise/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the new process ---- */

static void close_range_of(unsigned first, unsigned last) {
    if (first <= last) {
        syscall(SYS_close_range, first, last, 0);
    }
}

/* Nothing of the supervisor's is left open but the channel, and the standard input, which the
 * program may read (targets/runtime/libc/contents.h). */
static void take_descriptors(const role *r, channel *c, int messages, int errors) {
    int null = open("/dev/null", O_RDWR);
    channel_open(c, messages);
    if (!r->speaks) {
        dup2(null, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
    }
    close_range_of(STDERR_FILENO + 1, (unsigned)c->descriptor - 1);
    close_range_of((unsigned)c->descriptor + 1, ~0u);
}

static void die_with(pid_t supervisor) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) {
        _exit(CHANNEL_LOST);
    }
}

_Noreturn static void work(const supervisor *s, const role *r, void *context, pid_t parent,
                           int messages, int errors) {
    channel c;
    struct rlimit none = {0};
    setsid();
    die_with(parent);
    signal(SIGTTOU, SIG_IGN); /* compilers may write to the terminal from the background */
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
    setrlimit(RLIMIT_CORE, &none);
    take_descriptors(r, &c, messages, errors);
    witness_share(s->witness);
    r->work(context, &c);
    fflush(NULL);
    status_enter(PHASE_DONE);
    channel_send(&c, MESSAGE_END, &(bytes){0});
    _exit(0);
}

/* ---- in the supervisor ---- */

static bool open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

bool child_start(child *c, const supervisor *s, const role *r, void *context) {
    int messages[2], errors[2] = {-1, -1};
    if (!open_pipe(messages)) {
        return false;
    }
    if (!r->speaks && !open_pipe(errors)) {
        close(messages[0]);
        close(messages[1]);
        return false;
    }
    fflush(NULL);
    if (!r->inherits) {
        witness_clear(s->witness);
    }
    pid_t parent = getpid();
    c->process = fork();
    if (c->process == 0) {
        work(s, r, context, parent, messages[1], errors[1]);
    }
    close(messages[1]);
    if (errors[1] >= 0) {
        close(errors[1]);
    }
    c->messages = messages[0];
    c->errors = errors[0];
    if (c->process < 0) {
        child_clear(c);
    }
    return c->process > 0;
}

void child_kill(const child *c) {
    kill(-c->process, SIGKILL);
    kill(c->process, SIGKILL);
}

/* Those who left the group became children of the supervisor when their parent ended. */
static void end_orphans(void) {
    char path[64];
    int process;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (;;) {
        FILE *children = fopen(path, "re");
        bool found = children && fscanf(children, "%d", &process) == 1;
        if (children) {
            fclose(children);
        }
        if (!found) {
            return;
        }
        kill(process, SIGKILL);
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

void child_clear(child *c) {
    if (c->process > 0) {
        kill(-c->process, SIGKILL);
        end_orphans();
    }
    if (c->messages >= 0) {
        close(c->messages);
    }
    if (c->errors >= 0) {
        close(c->errors);
    }
}
