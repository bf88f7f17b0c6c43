/* `heddle cc`: the compiler for existing builds (CC="heddle cc"). Compiling adds heddle's flags;
 * linking makes what `heddle check PROGRAM` loads. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "targets/native/command.h"
#include "targets/native/compile.h"
#include "targets/native/directory.h"
#include "targets/native/link_state.h"
#include "targets/native/native.h"
#include "targets/native/precompiled.h"
#include "targets/native/response_file.h"

enum stage { LINKING, COMPILING, OTHER }; /* -c; -E, -S, -r, --version and the like */
enum { RESPONSE_FILES_DEPTH = 100 };      /* of files in files, which may be in themselves */

typedef struct command_line {
    string_list inputs, flags;
    string_list whole; /* of the inputs, between -Wl,--whole-archive and -Wl,--no-whole-archive */
    const char *output;
    const char *compiler;
    bool optimize; /* the faithful -O1 */
    enum stage stage;
} command_line;

static bool takes_word(const char *flag) {
    static const char flags[] =
        "-I -D -U -A -L -B -l -z -h -T -e -u -x -MF -MT -MQ -include -imacros -isystem -iquote "
        "-idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib -Xpreprocessor "
        "-Xassembler -Xlinker -wrapper -aux-info -dumpbase -dumpbase-ext -dumpdir --param";
    return text_is_listed(flag, strlen(flag), flags);
}

static bool asks_for_other(const char *flag) {
    static const char others[] =
        "-S -E -M -MM -r -print-* --version -v -dumpversion -dumpmachine "
        "-fsyntax-only -xc-header";
    return text_is_listed(flag, strlen(flag), others);
}

/* Flags that heddle handles itself, or that would interfere. */
static bool is_left_out(const char *flag) {
    static const char *const beginnings[] = {"-fsanitize=", "-fprofile-", "--coverage", "-flto",
                                             "-ftest-coverage"};
    return text_starts_with_any(flag, beginnings, sizeof beginnings / sizeof *beginnings) ||
           text_is_listed(flag, strlen(flag), "-pg -s -Wl,-s -Wl,--strip-all");
}

static void report_left_out(const string_list *flags) {
    if (flags->count) {
        fputs("heddle cc: left out:", stderr);
    }
    for (uint32_t i = 0; i < flags->count; i++) {
        fprintf(stderr, " %s%s", vector_at(flags, i), i + 1 == flags->count ? "\n" : "");
    }
}

static void parse(command_line *line, const text_list *arguments) {
    string_list left_out = {0};
    link_state state = {0};
    for (uint32_t i = 0; i < arguments->count; i++) {
        const char *word = text_string(&vector_at(arguments, i));
        const char *next =
            i + 1 < arguments->count ? text_string(&vector_at(arguments, i + 1)) : NULL;
        link_state_follow(&state, word);
        if (is_left_out(word)) {
            vector_push(&left_out, word);
        } else if (text_starts(word, "--cc=")) {
            line->compiler = word + 5;
        } else if (strcmp(word, "--optimize") == 0) {
            line->optimize = true;
        } else if (strcmp(word, "-o") == 0 && next) {
            line->output = next;
            i++;
        } else if (text_starts(word, "-o") && word[2]) {
            line->output = word + 2;
        } else if (word[0] != '-') {
            vector_push(&line->inputs, word);
            if (state.now.whole) {
                vector_push(&line->whole, word);
            }
            line->stage = path_has_suffix(word, ".h") ? OTHER : line->stage;
        } else {
            bool header = strcmp(word, "-x") == 0 && next && strcmp(next, "c-header") == 0;
            line->stage = header || asks_for_other(word)                      ? OTHER
                          : strcmp(word, "-c") == 0 && line->stage == LINKING ? COMPILING
                                                                              : line->stage;
            vector_push(&line->flags, word);
            if (takes_word(word) && next) {
                vector_push(&line->flags, next);
                i++;
            }
        }
    }
    report_left_out(&left_out);
    vector_free(&left_out);
}

/* If something other than an object is requested, the compiler gets the command unchanged. */
static int pass_on(const command_line *line) {
    command c = {0};
    vector_push(&c, compile_command(line->compiler));
    vector_append(&c, line->flags.items, line->flags.count);
    if (line->output) {
        vector_push(&c, "-o");
        vector_push(&c, line->output);
    }
    vector_append(&c, line->inputs.items, line->inputs.count);
    bool good = command_run(&c);
    vector_free(&c);
    if (good && line->output && line->inputs.count == 1) {
        good = precompiled_add_header(line->output, vector_at(&line->inputs, 0));
    }
    return good ? 0 : 1;
}

static bool has_flag(const string_list *flags, const char *flag) {
    return text_find(flag, flags->items, flags->count) < flags->count;
}

/* "directory/name.c" -> "name.o", where the compiler would put it; `suffix` in the place of ".c".
 */
static void name_beside(const char *path, const char *suffix, bool keep_directory, char *result) {
    const char *slash = strrchr(path, '/');
    const char *start = slash && !keep_directory ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    int length = dot && !strchr(dot, '/') ? (int)(dot - start) : (int)strlen(start);
    snprintf(result, NATIVE_PATH_SIZE, "%.*s%s", length, start, suffix);
}

/* The object is made in two steps, so the compiler has to be given the target of the
 * dependencies. */
static void add_dependency_flags(string_list *flags, const char *object, char *file) {
    if (!has_flag(flags, "-MD") && !has_flag(flags, "-MMD")) {
        return;
    }
    if (!has_flag(flags, "-MF")) {
        name_beside(object, ".d", true, file);
        vector_push(flags, "-MF");
        vector_push(flags, file);
    }
    if (!has_flag(flags, "-MT") && !has_flag(flags, "-MQ")) {
        vector_push(flags, "-MQ");
        vector_push(flags, object);
    }
}

static bool compile_one(const command_line *line, const char *directory, const char *source) {
    char object[NATIVE_PATH_SIZE], dependencies[NATIVE_PATH_SIZE];
    string_list flags = {0};
    for (uint32_t i = 0; i < line->flags.count; i++) {
        if (strcmp(vector_at(&line->flags, i), "-c") != 0) {
            vector_push(&flags, vector_at(&line->flags, i));
        }
    }
    name_beside(source, ".o", false, object);
    compilation c = {.compiler = line->compiler,
                     .optimize = line->optimize,
                     .source = source,
                     .object = line->output ? line->output : object};
    add_dependency_flags(&flags, c.object, dependencies);
    c.flags = flags.items;
    c.flag_count = flags.count;
    snprintf(c.stem, sizeof c.stem, "%.*s/object", NATIVE_PATH_SIZE - 16, directory);
    bool good = command_wait(compile_start(&c)) && compile_finish(&c);
    vector_free(&flags);
    return good;
}

static int compile(const command_line *line) {
    char directory[NATIVE_PATH_SIZE], message[NATIVE_MESSAGE_SIZE];
    if (line->output && line->inputs.count > 1) {
        fprintf(stderr, "heddle cc: -o with -c and several files: name one file\n");
        return 1;
    }
    command_hold_interrupts();
    bool good = directory_create(directory, message);
    if (!good) {
        fprintf(stderr, "heddle cc: %s\n", message);
    }
    for (uint32_t i = 0; i < line->inputs.count && good; i++) {
        good = compile_one(line, directory, vector_at(&line->inputs, i));
    }
    directory_remove(directory);
    command_release_interrupts();
    return good ? 0 : 1;
}

static int link_program(const command_line *line) {
    char message[NATIVE_MESSAGE_SIZE];
    settings settings = {.compiler = line->compiler,
                         .optimize = line->optimize,
                         .files = line->inputs,
                         .whole = line->whole,
                         .flags = line->flags};
    bool shared = has_flag(&line->flags, "-shared");
    if (native_link(&settings, shared, line->output ? line->output : "a.out", message)) {
        return 0;
    }
    fprintf(stderr, "heddle cc: %s\n", message);
    return 1;
}

int native_compiler_driver(int argc, char **argv) {
    command_line line = {.stage = LINKING};
    text_list words = {0}, arguments = {0};
    for (int i = 0; i < argc; i++) {
        response_file_expand(&words, argv[i], RESPONSE_FILES_DEPTH);
    }
    for (uint32_t i = 0; i < words.count; i++) {
        link_state_split(&arguments, text_string(&vector_at(&words, i)));
    }
    parse(&line, &arguments);
    int status = line.inputs.count == 0    ? pass_on(&line)
                 : line.stage == LINKING   ? link_program(&line)
                 : line.stage == COMPILING ? compile(&line)
                                           : pass_on(&line);
    vector_free(&line.inputs);
    vector_free(&line.flags);
    vector_free(&line.whole);
    texts_free(&words);
    texts_free(&arguments);
    return status;
}
