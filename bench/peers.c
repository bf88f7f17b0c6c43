#include "bench/peers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Repetitions end early when one took that long. */
static const double LONG_SECONDS = 3;

/* How a peer prints its counts: what stands before the numbers. */
typedef struct peer_format {
    const char *name, *flags_variable, *flags;
    const char *executions;
    const char *blocked[2];
} peer_format;

static const peer_format formats[PEER_COUNT] = {
    [PEER_NIDHUGG] =
        {"nidhugg", "NIDHUGG_FLAGS", "--sc --optimal", "Trace count: ", {"(also ", NULL}},
    [PEER_GENMC] = {"genmc",
                    "GENMC_FLAGS",
                    "--sc",
                    "Number of complete executions explored: ",
                    {"Number of blocked executions seen: ", "Number of blocked executions: "}},
};

const char *peer_name(enum peer p) {
    return formats[p].name;
}

bool peer_is_there(enum peer p) {
    const char *path = getenv("PATH");
    char file[4096];
    struct stat status;
    for (size_t length; path && *path; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, formats[p].name);
        if (stat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_mode & 0111) {
            return true;
        }
    }
    return false;
}

/* ---- the command ---- */

typedef struct command {
    text text; /* words end with a NUL each */
    VECTOR(uint32_t) starts;
    VECTOR(char *) argv;
} command;

static void add_word(command *c, const char *word, size_t length) {
    vector_push(&c->starts, text_length(&c->text));
    text_append_bytes(&c->text, word, (uint32_t)length);
    text_append_bytes(&c->text, "", 1);
}

static void add_words(command *c, const char *words) {
    for (size_t length; *(words += strspn(words, " ")); words += length) {
        length = strcspn(words, " ");
        add_word(c, words, length);
    }
}

static void add_definitions(command *c, const row *r) {
    for (uint32_t i = 0; i < r->definitions.count; i++) {
        text flag = {0};
        text_format(&flag, "-D%s", vector_at(&r->definitions, i));
        add_word(c, text_string(&flag), text_length(&flag));
        text_free(&flag);
    }
}

static char *const *command_argv(command *c) {
    vector_clear(&c->argv);
    for (uint32_t i = 0; i < c->starts.count; i++) {
        vector_push(&c->argv, c->text.characters.items + vector_at(&c->starts, i));
    }
    vector_push(&c->argv, NULL);
    return c->argv.items;
}

static void command_free(command *c) {
    text_free(&c->text);
    vector_free(&c->starts);
    vector_free(&c->argv);
}

/* Into `bitcode`; false if clang cannot. */
static bool compile(const row *r, const char *bitcode, uint32_t most_seconds) {
    command c = {0};
    command_figures figures;
    FILE *output = tmpfile();
    add_words(&c, "clang -std=gnu11 -S -emit-llvm -o");
    add_words(&c, bitcode);
    add_definitions(&c, r);
    add_words(&c, text_string(&r->files[ROW_NATIVE]));
    bool done =
        output && child_command(command_argv(&c), output, most_seconds, &figures) == CHILD_DONE;
    if (output) {
        fclose(output);
    }
    command_free(&c);
    return done;
}

static void make_command(enum peer p, const row *r, const char *bitcode, command *c) {
    const char *flags = getenv(formats[p].flags_variable);
    add_words(c, formats[p].name);
    add_words(c, flags ? flags : formats[p].flags);
    if (p == PEER_NIDHUGG) {
        add_words(c, bitcode);
    } else {
        add_words(c, "--");
        add_definitions(c, r);
        add_words(c, text_string(&r->files[ROW_NATIVE]));
    }
}

/* ---- its answer ---- */

static bool number_behind(const char *line, const char *words, uint64_t *number) {
    const char *found = words ? strstr(line, words) : NULL;
    return found && sscanf(found + strlen(words), "%" SCNu64, number) == 1;
}

/* False: there is no count in it. */
static bool parse_output(enum peer p, FILE *output, peer_figures *f) {
    char line[1024];
    bool counted = false;
    rewind(output);
    while (fgets(line, sizeof line, output)) {
        counted = number_behind(line, formats[p].executions, &f->executions) || counted;
        number_behind(line, formats[p].blocked[0], &f->blocked);
        number_behind(line, formats[p].blocked[1], &f->blocked);
    }
    return counted;
}

/* A bug that was found is no failure of the peer. */
static void run_once(enum peer p, char *const *argv, uint32_t most_seconds, peer_figures *f) {
    command_figures figures = {0};
    FILE *output = tmpfile();
    if (!output) {
        f->end = CHILD_FAILED;
        return;
    }
    f->end = child_command(argv, output, most_seconds, &figures);
    if (f->end != CHILD_TIMEOUT) {
        f->end = parse_output(p, output, f) ? CHILD_DONE : CHILD_FAILED;
    }
    f->seconds = figures.seconds;
    f->peak_bytes = figures.peak_bytes;
    fclose(output);
}

void peer_measure(enum peer p, const row *r, uint32_t repeat, uint32_t most_seconds,
                  peer_figures *f) {
    char directory[] = "/tmp/heddle-bench-XXXXXX", bitcode[64];
    command c = {0};
    double least = 0;
    *f = (peer_figures){.ran = true, .end = CHILD_FAILED};
    if (!mkdtemp(directory)) {
        return;
    }
    snprintf(bitcode, sizeof bitcode, "%s/program.ll", directory);
    make_command(p, r, bitcode, &c);
    if (p != PEER_NIDHUGG || compile(r, bitcode, most_seconds)) {
        for (uint32_t i = 0; i < repeat; i++) {
            run_once(p, command_argv(&c), most_seconds, f);
            least = !i || f->seconds < least ? f->seconds : least;
            if (f->end != CHILD_DONE || f->seconds > LONG_SECONDS) {
                break;
            }
        }
    }
    f->seconds = least;
    remove(bitcode);
    remove(directory);
    command_free(&c);
}
