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

typedef VECTOR(text) text_list;

/* The compiler's flags: those given, and the definitions as -DNAME=VALUE. */
static void collect_flags(const subject *s, text_list *flags) {
    for (uint32_t i = 0; i < s->definitions.count + s->flags.count; i++) {
        text flag = {0};
        if (i < s->definitions.count) {
            text_format(&flag, "-D%s", s->definitions.items[i]);
        } else {
            text_append(&flag, s->flags.items[i - s->definitions.count]);
        }
        vector_push(flags, flag);
    }
}

static bool build_and_open(loaded *l, const native_options *o, text *message) {
    native_program program;
    char reason[NATIVE_MESSAGE_SIZE] = "";
    if (native_build(o, &program, reason)) {
        l->target = native_open(&program, o, reason);
        text_append(&l->warnings, program.warnings);
        l->unseen = program.warnings[0] != '\0';
    }
    native_remove(&program);
    /* A replay finds out by itself, and its program may print. */
    bool usable = l->target && (o->echo || native_check_determinism(l->target, reason));
    text_append(message, reason);
    return usable;
}

bool native_load(loaded *l, const subject *s, bool echo, text *message) {
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
    if (compile_is_clang(s->compiler)) {
        if (s->optimize) {
            text_append(message, "--optimize is for gcc: clang compiles at -O0 only");
            return false;
        }
        l->caution = "clang does not announce every access to locals that threads share";
    }
    text_list texts = {0};
    VECTOR(const char *) flags = {0};
    collect_flags(s, &texts);
    for (uint32_t i = 0; i < texts.count; i++) {
        vector_push(&flags, text_string(&texts.items[i]));
    }
    l->native = true;
    bool opened =
        build_and_open(l,
                       &(native_options){.compiler = s->compiler,
                                         .level = s->optimize ? NATIVE_FAITHFUL_O1 : NATIVE_O0,
                                         .inputs = s->files.items,
                                         .input_count = s->files.count,
                                         .flags = flags.items,
                                         .flag_count = flags.count,
                                         .arguments = s->arguments.items,
                                         .argument_count = s->arguments.count,
                                         .no_race_check = s->ignore_races,
                                         .exit_status = s->exit_status,
                                         .watchdog_ms = s->watchdog * 1000,
                                         .echo = echo},
                       message);
    for (uint32_t i = 0; i < texts.count; i++) {
        text_free(&texts.items[i]);
    }
    vector_free(&texts);
    vector_free(&flags);
    return opened;
}

bool native_is_stale(target *target) {
    return native_stale(target);
}
