/* `heddle cc`: the compiler for existing builds (CC="heddle cc"). Compiling adds heddle's flags;
 * linking makes what `heddle check PROGRAM` loads. */
#include <stdio.h>
#include <string.h>

#include "native/command.h"
#include "native/folder.h"
#include "native/native.h"

typedef VECTOR(const char *) words;

typedef struct command_line {
    words inputs, flags;
    const char *output;
    const char *compiler;
    enum native_level level;
    bool links;
} command_line;

static bool takes_word(const char *flag) {
    static const char *const flags[] = {
        "-I",  "-D", "-U", "-L",       "-include",   "-isystem", "-x", "-MF",     "-MT",
        "-MQ", "-l", "-z", "-Xlinker", "-idirafter", "-T",       "-u", "--param", NULL};
    for (const char *const *f = flags; *f; f++) {
        if (strcmp(*f, flag) == 0) {
            return true;
        }
    }
    return false;
}

static bool stops_before_linking(const char *flag) {
    return strcmp(flag, "-c") == 0 || strcmp(flag, "-S") == 0 || strcmp(flag, "-E") == 0 ||
           strcmp(flag, "-M") == 0 || strcmp(flag, "-MM") == 0 ||
           strncmp(flag, "-print-", 7) == 0 || strcmp(flag, "--version") == 0 ||
           strcmp(flag, "-v") == 0 || strcmp(flag, "-dumpversion") == 0 ||
           strcmp(flag, "-dumpmachine") == 0;
}

static void parse(command_line *line, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--cc=", 5) == 0) {
            line->compiler = word + 5;
        } else if (strcmp(word, "-o") == 0 && i + 1 < argc) {
            line->output = argv[++i];
        } else if (word[0] != '-') {
            vector_push(&line->inputs, word);
        } else {
            line->links = line->links && !stops_before_linking(word);
            vector_push(&line->flags, word);
            if (takes_word(word) && i + 1 < argc) {
                vector_push(&line->flags, argv[++i]);
            }
        }
    }
}

static int compile(const command_line *line) {
    command c = {0};
    char include[NATIVE_PATH_SIZE + 2];
    vector_push(&c, line->compiler ? line->compiler : "gcc");
    for (uint32_t i = 0; i < line->flags.count; i++) {
        vector_push(&c, line->flags.items[i]);
    }
    for (const char *const *f = native_compiler_flags(line->compiler, line->level); *f; f++) {
        vector_push(&c, *f);
    }
    if (folder_of_headers(include + 2)) {
        vector_push(&c, memcpy(include, "-I", 2));
    }
    if (line->output) {
        vector_push(&c, "-o");
        vector_push(&c, line->output);
    }
    for (uint32_t i = 0; i < line->inputs.count; i++) {
        vector_push(&c, line->inputs.items[i]);
    }
    bool good = command_run(&c);
    vector_free(&c);
    return good ? 0 : 1;
}

static int link_program(const command_line *line) {
    char message[NATIVE_MESSAGE_SIZE];
    native_options options = {.compiler = line->compiler,
                              .level = line->level,
                              .inputs = line->inputs.items,
                              .input_count = line->inputs.count,
                              .flags = line->flags.items,
                              .flag_count = line->flags.count};
    if (native_link(&options, line->output ? line->output : "a.out", message)) {
        return 0;
    }
    fprintf(stderr, "heddle cc: %s\n", message);
    return 1;
}

int native_compiler_driver(int argc, char **argv) {
    command_line line = {.links = true};
    parse(&line, argc, argv);
    int status = !line.links || line.inputs.count == 0 ? compile(&line) : link_program(&line);
    vector_free(&line.inputs);
    vector_free(&line.flags);
    return status;
}
