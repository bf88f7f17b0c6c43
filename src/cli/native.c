#include "cli/native.h"

#include "cli/file.h"
#include "native/compile.h"
#include "native/native.h"

static bool is_native(const char *file) {
    return has_suffix(file, ".c") || has_suffix(file, ".i") || has_suffix(file, ".o") ||
           has_suffix(file, ".a") || native_is_program(file);
}

static bool is_other_language(const char *file) {
    return has_suffix(file, ".cc") || has_suffix(file, ".cpp") || has_suffix(file, ".cxx") ||
           has_suffix(file, ".C");
}

/* The compiler's flags: the definitions as -DNAME=VALUE, then those given. */
static void add_flags(settings *flags, const settings *s) {
    for (uint32_t i = 0; i < s->definitions.count; i++) {
        settings_add_flag(flags, "-D", s->definitions.items[i]);
    }
    for (uint32_t i = 0; i < s->flags.count; i++) {
        vector_push(&flags->flags, s->flags.items[i]);
    }
}

static bool build_and_open(loaded *l, const settings *s, text *message) {
    native_program program;
    char reason[NATIVE_MESSAGE_SIZE] = "";
    if (native_build(s, &program, reason)) {
        l->target = native_open(&program, s, reason);
    }
    native_remove(&program);
    /* A replay finds out by itself, and its program may print. */
    bool usable = l->target && (s->echo || native_check_determinism(l->target, reason));
    text_append(message, reason);
    return usable;
}

static bool check_files(const settings *s, text *message) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (is_other_language(s->files.items[i])) {
            text_format(message, "%s: heddle checks C programs, not C++", s->files.items[i]);
            return false;
        }
        if (!is_native(s->files.items[i])) {
            text_format(message,
                        "%s: unknown kind of file; heddle checks .heddle files, C sources, "
                        "objects and archives",
                        s->files.items[i]);
            return false;
        }
    }
    return true;
}

bool native_load(loaded *l, const settings *s, text *message) {
    if (!check_files(s, message)) {
        return false;
    }
    if (compile_is_clang(s->compiler)) {
        if (s->optimize) {
            text_append(message, "--optimize is for gcc: clang compiles at -O0 only");
            return false;
        }
        l->caution = "clang does not announce every access to locals that threads share";
    }
    settings flags = {0}, build = *s;
    add_flags(&flags, s);
    build.flags = flags.flags;
    l->native = true;
    bool opened = build_and_open(l, &build, message);
    settings_free(&flags);
    return opened;
}

bool native_is_stale(target *target) {
    return native_stale(target);
}
