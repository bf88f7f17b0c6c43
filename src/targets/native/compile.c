#include "targets/native/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "targets/native/atomic_functions.h"
#include "targets/native/atomic_reads.h"
#include "targets/native/bit_fields.h"
#include "targets/native/clang_accesses.h"
#include "targets/native/command.h"
#include "targets/native/compiled.h"
#include "targets/native/dead_locals.h"
#include "targets/native/directory.h"
#include "targets/native/frame_ends.h"
#include "targets/native/gaps.h"
#include "targets/native/leftovers.h"
#include "targets/native/machine_builtins.h"
#include "targets/native/marks.h"

/* A builtin becomes a call of the function, with a declaration of its own: the program may have
 * none, and the function would then return an int. */
#define BUILTIN_AS_CALL(name, type)                                                            \
    "-D__builtin_" name "(...)=__extension__({extern void*heddle_builtin_" name "(void*," type \
    ",__SIZE_TYPE__)__asm__(\"" name "\");heddle_builtin_" name "(__VA_ARGS__);})"

/* For every compiler. */
static const char *const common_flags[] = {
    "-fPIC",
    "-fno-lto",
    "-fno-builtin",
    "-fno-optimize-sibling-calls",
    "-fstack-protector-strong", /* finds what overflows the arrays of a frame when it is left */
    "-fasynchronous-unwind-tables",
#ifdef __x86_64__
    "-mno-red-zone", /* a call may be inserted anywhere */
#endif
    "-fsanitize=thread",
    "-U_FORTIFY_SOURCE",
    "-ftls-model=global-dynamic", /* the only one that asks where the thread's own are */
    "-Dtls_model(model)=tls_model(\"global-dynamic\")",
    "-D__tls_model__(model)=__tls_model__(\"global-dynamic\")",
    "-Wno-variadic-macros", /* those below, in C89 */
    /* A function that asks not to be instrumented would be invisible. */
    "-Dno_sanitize_thread=__unused__",
    "-D__no_sanitize_thread__=__unused__",
    "-Dno_sanitize(...)=__unused__",
    "-D__no_sanitize__(...)=__unused__",
    "-Ddisable_sanitizer_instrumentation=__unused__",
    NULL,
};

static const char *const gcc_flags[] = {
    "-Wno-invalid-pch", /* precompiled headers have none of these flags: the headers are read */
    "-g",
    "-gdwarf-5", /* knows of atomic types */
#ifdef __x86_64__
    "-mmemcpy-strategy=rep_8byte:-1:noalign", /* so that copies have few forms (by_value.h) */
#endif
    "--param",
    "tsan-distinguish-volatile=1",
    "--param",
    "tsan-instrument-func-entry-exit=0",
    "-fsanitize-recover=bounds", /* array_bounds.c, and not the function that aborts */
    BUILTIN_AS_CALL("memcpy", "const void*"),
    BUILTIN_AS_CALL("memset", "int"),
    BUILTIN_AS_CALL("memmove", "const void*"),
    NULL,
};

static const char *const gcc_O0_flags[] = {"-O0", "-fno-omit-frame-pointer", NULL};

/* -O1 that keeps every access of the source. */
static const char *const gcc_faithful_flags[] = {
    "-O1",
    "-fno-inline",
    "-fno-tree-fre",
    "-fno-tree-dse",
    "-fno-tree-dominator-opts",
    "-fno-tree-loop-im",
    "-fno-tree-sink",
    "-fno-tree-pre",
    "-fno-tree-ccp",
    "-fno-tree-forwprop",
    "-fno-tree-dce",
    "-fno-ipa-reference-addressable",
    "-fno-ipa-ra",
    NULL,
};

static const char *const clang_flags[] = {
    "-gdwarf-4", "-gdwarf-aranges",
#ifdef __x86_64__
    "-mcx16",
#endif
    "-mllvm",    "-tsan-distinguish-volatile=1",
    "-mllvm",    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",    "-tsan-instrument-read-before-write=1",
    "-O0",       NULL,
};

bool compile_is_clang(const char *compiler) {
    return compiler && strstr(compiler, "clang") != NULL;
}

static bool is_assembly(const char *path) {
    return path_has_suffix(path, ".s") || path_has_suffix(path, ".S");
}

bool compile_is_source(const char *path) {
    return path_has_suffix(path, ".c") || path_has_suffix(path, ".i") || is_assembly(path);
}

bool compile_is_other_language(const char *path) {
    return path_has_suffix(path, ".cc") || path_has_suffix(path, ".cpp") ||
           path_has_suffix(path, ".cxx") || path_has_suffix(path, ".C");
}

bool compile_is_link_flag(const char *flag, bool *two_words) {
    size_t length = strlen(flag);
    *two_words = text_is_listed(flag, length, "-l -L -Xlinker -z -u");
    return *two_words || text_is_listed(flag, length, "-l* -L* -Wl,* -rdynamic");
}

static void add_compile_flags(command *c, const compilation *o) {
    for (uint32_t i = 0; i < o->flag_count; i++) {
        bool two_words;
        if (!compile_is_link_flag(o->flags[i], &two_words)) {
            vector_push(c, o->flags[i]);
        }
        i += two_words;
    }
}

static void name_file(const compilation *o, const char *suffix, char *path) {
    snprintf(path, NATIVE_PATH_SIZE + 8, "%s%s", o->stem, suffix);
}

/* A command that compiles the source to assembly, without what says where that goes. The path of
 * the headers must stay as long as the command. */
static void add_compilation(command *c, const compilation *o, char *include) {
    vector_push(c, compile_command(o->compiler));
    if (!compile_is_clang(o->compiler)) {
        vector_push(c, "-fsanitize=bounds"); /* unless the user has -fno-sanitize=bounds */
    }
    add_compile_flags(c, o);
    command_add(c, common_flags);
    if (compile_is_clang(o->compiler)) {
        command_add(c, clang_flags);
    } else {
        command_add(c, gcc_flags);
        command_add(c, o->optimize ? gcc_faithful_flags : gcc_O0_flags);
    }
    if (directory_of_headers(include + 2)) {
        vector_push(c, memcpy(include, "-I", 2));
    }
    vector_push(c, "-S");
}

static pid_t start_assembler(const compilation *o) {
    command c = {0};
    vector_push(&c, compile_command(o->compiler));
    add_compile_flags(&c, o);
    const char *rest[] = {"-fPIC", "-c", "-o", o->object, o->source, NULL};
    command_add(&c, rest);
    pid_t process = command_start(&c);
    vector_free(&c);
    return process;
}

static pid_t start_compiler(const compilation *o) {
    char include[NATIVE_PATH_SIZE + 2], assembly[NATIVE_PATH_SIZE + 8];
    char dump[NATIVE_PATH_SIZE + 64];
    command c = {0};
    add_compilation(&c, o, include);
    if (!compile_is_clang(o->compiler)) {
        snprintf(dump, sizeof dump, "-fdump-tree-%s-lineno=%s.tsan", o->optimize ? "tsan" : "tsan0",
                 o->stem);
        vector_push(&c, dump);
    }
    name_file(o, ".s", assembly);
    const char *rest[] = {"-o", assembly, o->source, NULL};
    command_add(&c, rest);
    pid_t process = command_start(&c);
    vector_free(&c);
    return process;
}

pid_t compile_start(const compilation *o) {
    return is_assembly(o->source) ? start_assembler(o) : start_compiler(o);
}

/* A source that cannot be compiled in this way stays as it is. */
static bool edit_atomic_reads(const compilation *o, const char *assembly) {
    char include[NATIVE_PATH_SIZE + 2], with_volatile[NATIVE_PATH_SIZE + 8];
    if (compile_is_clang(o->compiler) || !atomic_reads_possible(assembly)) {
        return true;
    }
    command c = {0};
    name_file(o, ".v.s", with_volatile);
    add_compilation(&c, o, include);
    const char *rest[] = {"-w", ATOMIC_READS_FLAGS, "-o", with_volatile, o->source, NULL};
    command_add(&c, rest);
    bool good = !command_try(&c) || atomic_reads_edit(assembly, with_volatile);
    vector_free(&c);
    remove(with_volatile);
    return good;
}

/* What the compiler left uncovered is marked; and the object is known to be heddle's. */
static bool edit(const compilation *o, const char *assembly) {
    char dump[NATIVE_PATH_SIZE + 8];
    unseen_list found = {0};
    undetermined_list undetermined = {0};
    bool atomic, clang = compile_is_clang(o->compiler);
    name_file(o, ".tsan", dump);
    unseen_in_dump(dump, assembly, &found); /* clang writes none */
    if (clang) {
        clang_accesses_find_masked(assembly, &found);
    }
    undetermined_in_dump(dump, &undetermined);
    undetermined_list_values(dump, &undetermined);
    bool good = edit_atomic_reads(o, assembly) && gaps_edit(assembly) &&
                atomic_functions_edit(assembly, &atomic) &&
                machine_builtins_edit(assembly, &found) &&
                marks_edit(assembly, o->source, &found, &undetermined, atomic) &&
                (clang ? clang_accesses_edit(assembly) : bit_fields_edit(assembly)) &&
                leftovers_edit(assembly, o->optimize) &&
                (o->optimize || clang || dead_locals_edit(assembly, dump)) &&
                frame_ends_edit(assembly) && compiled_edit(assembly);
    vector_free(&found);
    vector_free(&undetermined);
    return good;
}

bool compile_finish(const compilation *o) {
    char assembly[NATIVE_PATH_SIZE + 8];
    if (is_assembly(o->source)) {
        return true;
    }
    name_file(o, ".s", assembly);
    if (!edit(o, assembly)) {
        return false;
    }
    command c = {0};
    vector_push(&c, compile_command(o->compiler));
    for (uint32_t i = 0; i < o->flag_count; i++) {
        if (text_starts(o->flags[i], "-m")) {
            vector_push(&c, o->flags[i]);
        }
    }
    const char *rest[] = {"-c", "-o", o->object, assembly, NULL};
    command_add(&c, rest);
    bool good = command_run(&c);
    vector_free(&c);
    return good;
}
