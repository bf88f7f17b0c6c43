#include "cli/native.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/witness.h"
#include "targets/native/attachment.h"
#include "targets/native/compile.h"
#include "targets/native/native.h"

static bool is_native(const char *file) {
    char found[NATIVE_PATH_SIZE];
    return compile_is_source(file) || path_has_suffix(file, ".o") || path_has_suffix(file, ".a") ||
           native_find_program(file, found) || attachment_is_there(file);
}

/* A program or a shared library. */
static bool is_linked(const char *path) {
    static const char magic[] = "\177ELF";
    char start[sizeof magic] = "";
    FILE *file = fopen(path, "r");
    bool linked = file && fread(start, sizeof magic - 1, 1, file) == 1 && strcmp(start, magic) == 0;
    if (file) {
        fclose(file);
    }
    return linked;
}

/* The compiler's flags: the definitions as -DNAME=VALUE, then those given. */
static void add_flags(settings *flags, const settings *s) {
    for (uint32_t i = 0; i < s->definitions.count; i++) {
        settings_add_flag(flags, "-D", vector_at(&s->definitions, i));
    }
    vector_append(&flags->flags, s->flags.items, s->flags.count);
}

/* A definition that no compilation uses: the program would not be what the user expects. */
static bool check_definitions(const settings *s, text *message) {
    bool compiles = !s->definitions.count;
    for (uint32_t i = 0; i < s->files.count; i++) {
        compiles = compiles || compile_is_source(vector_at(&s->files, i));
    }
    if (!compiles) {
        text_format(
            message,
            "-D%s has no effect: %s is already compiled; pass it to heddle cc, which compiles",
            vector_at(&s->definitions, 0), vector_at(&s->files, 0));
    }
    return compiles;
}

static bool check_files(const settings *s, text *message) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (compile_is_other_language(vector_at(&s->files, i))) {
            text_format(message, "%s: heddle checks C programs, not C++", vector_at(&s->files, i));
            return false;
        }
        if (!is_native(vector_at(&s->files, i))) {
            text_format(message,
                        is_linked(vector_at(&s->files, i))
                            ? "%s: was not linked by heddle-cc; build it with CC=heddle-cc"
                            : "%s: unknown kind of file; heddle checks .heddle files, C sources, "
                              "objects and archives",
                        vector_at(&s->files, i));
            return false;
        }
    }
    return true;
}

bool native_prepare(const settings *s, const char *directory, char *path, text *message) {
    char reason[NATIVE_MESSAGE_SIZE] = "";
    native_program program;
    if (!check_files(s, message) || !check_definitions(s, message)) {
        return false;
    }
    if (compile_is_clang(s->compiler) && s->optimize) {
        text_append(message, "--optimize is for gcc: clang compiles at -O0 only");
        return false;
    }
    if (compile_is_clang(s->compiler) && s->weak_cas) {
        text_append(message, "--weak-cas is for gcc: clang does not tell weak from strong");
        return false;
    }
    settings flags = {0}, build = *s;
    add_flags(&flags, s);
    build.flags = flags.flags;
    bool built = native_build_in(&build, directory, &program, reason);
    settings_free(&flags);
    text_append(message, reason);
    snprintf(path, NATIVE_PATH_SIZE, "%s", program.path);
    return built;
}

bool native_load(loaded *l, const settings *s, const char *path, text *message) {
    char reason[NATIVE_MESSAGE_SIZE] = "";
    native_program program = {0};
    snprintf(program.path, sizeof program.path, "%s", path);
    l->native = true;
    if (compile_is_clang(s->compiler)) {
        l->caution = "clang does not announce every access to locals that threads share";
    }
    status_enter(PHASE_LOADING);
    l->target = native_open(&program, s, reason);
    status_enter(PHASE_EXPLORING);
    /* A replay finds that out itself, and its program may print. */
    bool usable = l->target && (s->echo || native_check_determinism(l->target, reason));
    text_append(message, reason);
    return usable;
}
