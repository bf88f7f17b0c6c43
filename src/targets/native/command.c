#include "targets/native/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int held_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { HELD_SIGNAL_COUNT = sizeof held_signals / sizeof *held_signals };

static struct sigaction old_actions[HELD_SIGNAL_COUNT];
static volatile sig_atomic_t interrupted;
static volatile pid_t running;

static void on_interrupt(int signal) {
    interrupted = signal;
    if (running > 0) {
        kill(running, SIGTERM);
    }
}

void command_hold_interrupts(void) {
    interrupted = 0;
    struct sigaction action = {.sa_handler = on_interrupt};
    for (unsigned i = 0; i < HELD_SIGNAL_COUNT; i++) {
        sigaction(held_signals[i], &action, &old_actions[i]);
    }
}

void command_release_interrupts(void) {
    for (unsigned i = 0; i < HELD_SIGNAL_COUNT; i++) {
        sigaction(held_signals[i], &old_actions[i], NULL);
    }
    if (interrupted) {
        raise(interrupted);
    }
}

bool command_interrupted(void) {
    return interrupted != 0;
}

void command_add(command *c, const char *const *words) {
    for (; *words; words++) {
        vector_push(c, *words);
    }
}

void command_add_mathematics(command *c) {
    static const char *const words[] = {"-Wl,--as-needed", "-lm", NULL};
    command_add(c, words);
}

bool command_verbose;

static void print(const command *c) {
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        fprintf(stderr, "%s%s", i ? " " : "+ ", vector_at(c, i));
    }
    fputc('\n', stderr);
    fflush(stderr);
}

static pid_t start(command *c, posix_spawn_file_actions_t *actions) {
    if (c->count == 0 || vector_at(c, c->count - 1)) {
        vector_push(c, NULL);
    }
    if (command_verbose) {
        print(c);
    }
    pid_t process;
    int error = posix_spawnp(&process, vector_at(c, 0), actions, NULL, (char **)c->items, environ);
    if (error) {
        fprintf(stderr, "heddle: cannot run %s: %s\n", vector_at(c, 0), strerror(error));
        return -1;
    }
    running = process;
    return process;
}

pid_t command_start(command *c) {
    return interrupted ? -1 : start(c, NULL);
}

bool command_wait(pid_t process) {
    int status;
    if (process < 0) {
        return false;
    }
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    running = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool command_run(command *c) {
    return command_wait(command_start(c));
}

bool command_run_words(const char *const *words) {
    command c = {0};
    command_add(&c, words);
    bool good = command_run(&c);
    vector_free(&c);
    return good;
}

bool command_try(command *c) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool good = !interrupted && command_wait(start(c, &actions));
    posix_spawn_file_actions_destroy(&actions);
    return good;
}

FILE *command_read(command *c, pid_t *process) {
    int ends[2];
    if (pipe(ends) != 0) {
        return NULL;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    *process = start(c, &actions);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (*process < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}
