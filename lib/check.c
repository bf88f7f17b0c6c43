/* <heddle/check.h> for the test program itself: if `heddle cc` has linked it, runs `heddle check`
 * on a function of it. How such a program begins has put its name into the environment. */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/check.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MOST = 128 };

typedef struct command {
    char *words[WORDS_MOST + 1]; /* each one's own */
    unsigned count;
    int failed;
} command;

/* ---- putting a command together ---- */

static void add(command *c, const char *first, const char *second) {
    size_t size = strlen(first) + strlen(second) + 1;
    char *word = c->count < WORDS_MOST ? malloc(size) : NULL;
    if (!word) {
        c->failed = 1;
        return;
    }
    snprintf(word, size, "%s%s", first, second);
    c->words[c->count++] = word;
}

/* As words, with spaces between them. */
static void add_words(command *c, const char *text) {
    while (text && *text) {
        size_t length = strcspn(text, " ");
        char *word = length ? strndup(text, length) : NULL;
        if (length && word) {
            add(c, word, "");
        }
        c->failed |= length && !word;
        free(word);
        text += length + (text[length] == ' ');
    }
}

static void add_argument(command *c, const unsigned char *bytes, size_t size) {
    char *digits = malloc(2 * size + 1);
    if (!digits) {
        c->failed = 1;
        return;
    }
    for (size_t i = 0; i < size; i++) {
        snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
    }
    add(c, "--argument=", digits);
    free(digits);
}

static void free_words(command *c) {
    for (unsigned i = 0; i < c->count; i++) {
        free(c->words[i]);
    }
}

/* ---- running it ---- */

static int fail(const char *what, int error) {
    fprintf(stderr, "heddle_check: %s%s%s\n", what, error ? ": " : "",
            error ? strerror(error) : "");
    return HEDDLE_NOT_CHECKED;
}

/* What the test has printed so far comes first. */
static int run(command *c) {
    pid_t child;
    int status;
    c->words[c->count] = NULL;
    if (c->failed) {
        return fail("too many options, or no memory", 0);
    }
    fflush(NULL);
    int error = posix_spawnp(&child, c->words[0], NULL, NULL, c->words, environ);
    if (error) {
        fprintf(stderr, "heddle_check: cannot run %s: %s; set HEDDLE to the path of heddle\n",
                c->words[0], strerror(error));
        return HEDDLE_NOT_CHECKED;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return fail("waiting for heddle", errno);
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : fail("heddle was ended by a signal", 0);
}

static void add_heddle(command *c, const char *subcommand) {
    const char *given = getenv("HEDDLE");
    add(c, given && *given ? given : "heddle", "");
    add(c, subcommand, "");
}

/* ---- a check ---- */

typedef struct check {
    const char *name, *function;
    const void *argument;
    heddle_options options;
    const char *program; /* that heddle can run; NULL: none */
    char schedule[2 * PATH_MAX];
} check;

/* Schedules are written beside the program; where nobody may write, into the working directory. */
static const char *place_of_schedule(const char *program) {
    const char *slash = program ? strrchr(program, '/') : NULL;
    char directory[PATH_MAX];
    if (!slash || slash == program || slash - program >= PATH_MAX) {
        return program ? program : "test";
    }
    snprintf(directory, sizeof directory, "%.*s", (int)(slash - program), program);
    return access(directory, W_OK) == 0 ? program : slash + 1;
}

static void find_program(check *c) {
    const char *given = getenv("HEDDLE_PROGRAM");
    c->program = given && *given ? given : NULL;
    snprintf(c->schedule, sizeof c->schedule, "%s.%s.schedule", place_of_schedule(c->program),
             c->name);
}

static int explore(const check *c) {
    command line = {0};
    add_heddle(&line, "check");
    add_words(&line, c->options.options);
    add(&line, "--exit-status", "");
    add(&line, "--function=", c->function);
    if (c->argument) {
        add_argument(&line, c->argument, c->options.argument_size);
    }
    add(&line, "--schedule=", c->schedule);
    add_words(&line, getenv("HEDDLE_OPTIONS"));
    add(&line, c->program, "");
    int status = run(&line);
    if (status == HEDDLE_BUG) {
        fprintf(stderr, "heddle_check: %s has a bug; to run it again: HEDDLE_REPLAY=%s\n", c->name,
                c->name);
    }
    free_words(&line);
    return status;
}

static int replay(const check *c) {
    command line = {0};
    add_heddle(&line, "replay");
    add(&line, c->schedule, "");
    int status = run(&line);
    free_words(&line);
    return status;
}

static bool replayed;

/* A name that no check has must not pass for a test that succeeds. */
static void end_if_none_replayed(void) {
    if (!replayed) {
        fprintf(stderr, "heddle_check: HEDDLE_REPLAY=%s: there is no check of that name\n",
                getenv("HEDDLE_REPLAY"));
        fflush(NULL);
        _exit(2);
    }
}

static int replay_if_wanted(const check *c, const char *wanted) {
    static bool watches;
    if (!watches) {
        watches = true;
        atexit(end_if_none_replayed);
    }
    if (strcmp(wanted, c->name) != 0) {
        return HEDDLE_VERIFIED;
    }
    replayed = true;
    return replay(c);
}

int heddle_check_function(const char *name, void (*function)(void *), void *argument,
                          const heddle_options *options) {
    static const heddle_options none;
    check c = {.function = name, .argument = argument, .options = options ? *options : none};
    const char *wanted = getenv("HEDDLE_REPLAY");
    c.name = c.options.name ? c.options.name : name;
    find_program(&c);
    if (argument && !c.options.argument_size) {
        return fail("an argument needs argument_size: the function gets a copy of its bytes", 0);
    }
    if (c.program && wanted && *wanted) {
        return replay_if_wanted(&c, wanted);
    }
    if (c.program) {
        return explore(&c);
    }
    function(argument);
    return HEDDLE_VERIFIED;
}
