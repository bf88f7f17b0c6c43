#define _GNU_SOURCE
#include "supervise/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Both ends of a connection between a process and its supervisor: the first is for reading. */
typedef struct ends {
    int messages[2], errors[2], commands[2];
} ends;

/* ---- in the new process ---- */

static void close_range_of(unsigned first, unsigned last) {
    if (first <= last) {
        syscall(SYS_close_range, first, last, 0);
    }
}

/* Closes all descriptors of the supervisor except the channel and the standard input, which the
 * program may read (targets/runtime/libc/contents.h). */
static void take_descriptors(const role *r, channel *c, const ends *e, pid_t supervisor) {
    int null = open("/dev/null", O_RDWR);
    channel_open(c, e->messages[1], e->commands[1], supervisor);
    if (r->input) {
        dup2(r->input, STDIN_FILENO);
    }
    if (!r->speaks) {
        dup2(null, STDOUT_FILENO);
        dup2(e->errors[1], STDERR_FILENO);
    }
    int low = c->commands >= 0 && c->commands < c->descriptor ? c->commands : c->descriptor;
    int high = c->commands > c->descriptor ? c->commands : c->descriptor;
    close_range_of(STDERR_FILENO + 1, (unsigned)low - 1);
    close_range_of((unsigned)low + 1, (unsigned)high - 1);
    close_range_of((unsigned)high + 1, ~0u);
}

static void die_with(pid_t supervisor) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) {
        _exit(CHANNEL_LOST);
    }
}

/* It keeps only its own witness, not those of other processes. */
static void take_witness(const supervisor *s, uint32_t place) {
    for (uint32_t i = 0; i < s->witnesses.count; i++) {
        if (i != place) {
            witness_destroy(vector_at(&s->witnesses, i));
        }
    }
    witness_share(vector_at(&s->witnesses, place));
}

_Noreturn static void work(const supervisor *s, uint32_t place, const role *r, void *context,
                           pid_t parent, const ends *e) {
    channel c;
    struct rlimit none = {0};
    setsid();
    die_with(parent);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGTTOU, SIG_IGN); /* compilers may write to the terminal from the background */
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
    setrlimit(RLIMIT_CORE, &none);
    take_descriptors(r, &c, e, parent);
    take_witness(s, place);
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

static void close_pair(int ends[2]) {
    for (uint32_t i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
        ends[i] = -1;
    }
}

static void close_ends(ends *e) {
    close_pair(e->messages);
    close_pair(e->errors);
    close_pair(e->commands);
}

static bool open_ends(ends *e, const role *r) {
    *e = (ends){{-1, -1}, {-1, -1}, {-1, -1}};
    bool done =
        open_pipe(e->messages) && (r->speaks || open_pipe(e->errors)) &&
        (!r->listens || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->commands) == 0);
    if (!done) {
        close_ends(e);
    }
    return done;
}

bool child_start(child *c, const supervisor *s, uint32_t place, const role *r, void *context) {
    ends e;
    if (!open_ends(&e, r)) {
        return false;
    }
    fflush(NULL);
    if (!r->inherits) {
        witness_clear(vector_at(&s->witnesses, place));
    }
    pid_t parent = getpid();
    c->process = fork();
    if (c->process == 0) {
        work(s, place, r, context, parent, &e);
    }
    if (c->process < 0) {
        close_ends(&e);
        return false;
    }
    *c = (child){c->process, e.messages[0], e.errors[0], e.commands[0]};
    e.messages[0] = e.errors[0] = e.commands[0] = -1;
    close_ends(&e);
    return true;
}

void child_kill(const child *c) {
    kill(-c->process, SIGKILL);
    kill(c->process, SIGKILL);
}

/* The next unknown process whose parent is this one; 0: none. */
static pid_t next_orphan(bool (*is_known)(const void *, pid_t), const void *context) {
    char path[64];
    int process;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *children = fopen(path, "re");
    bool found = false;
    while (children && !found && fscanf(children, "%d", &process) == 1) {
        found = !is_known(context, process);
    }
    if (children) {
        fclose(children);
    }
    return found ? process : 0;
}

/* Processes that left the group became children of the supervisor when their parent ended. */
static void end_orphans(bool (*is_known)(const void *, pid_t), const void *context) {
    for (pid_t process; (process = next_orphan(is_known, context));) {
        kill(process, SIGKILL);
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

void child_clear(child *c, bool (*is_known)(const void *, pid_t), const void *context) {
    int descriptors[] = {c->messages, c->errors, c->commands};
    kill(-c->process, SIGKILL);
    end_orphans(is_known, context);
    for (uint32_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
        }
    }
}

bool child_effort(const child *c, double *used, bool *ready) {
    char path[64], line[512], state;
    unsigned long user, system;
    CHECK(c->process > 0);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)c->process);
    FILE *file = fopen(path, "r");
    const char *rest = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file) {
        fclose(file);
    }
    /* After the name: the state, ten fields, and both times in clock ticks. */
    if (!rest || sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                        &system) != 3) {
        return false;
    }
    *used = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    *ready = state == 'R';
    return true;
}
