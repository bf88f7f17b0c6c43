#include "targets/native/compile.h"

#include <stdio.h>
#include <string.h>

#include "targets/native/atomic_functions.h"
#include "targets/native/command.h"
#include "targets/native/folder.h"
#include "targets/native/gaps.h"
#include "targets/native/leftovers.h"
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
    "-ftls-model=global-dynamic",
    NULL,
};

static const char *const gcc_flags[] = {
    "-g",
#ifdef __x86_64__
    "-mmemcpy-strategy=rep_8byte:-1:noalign", /* so that copies have few forms (by_value.h) */
#endif
    "--param",
    "tsan-distinguish-volatile=1",
    "--param",
    "tsan-instrument-func-entry-exit=0",
    BUILTIN_AS_CALL("memcpy", "const void*"),
    BUILTIN_AS_CALL("memset", "int"),
    BUILTIN_AS_CALL("memmove", "const void*"),
    NULL,
};

static const char *const gcc_O0_flags[] = {"-O0", NULL};

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

bool compile_is_link_flag(const char *flag, bool *two_words) {
    static const char *const words[] = {"-l", "-L", "-Xlinker", "-z", "-u", NULL};
    *two_words = false;
    for (const char *const *word = words; *word; word++) {
        *two_words = *two_words || strcmp(flag, *word) == 0;
    }
    return *two_words || strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 ||
           strncmp(flag, "-Wl,", 4) == 0;
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

static const char *compiler_of(const compilation *o) {
    return o->compiler ? o->compiler : "gcc";
}

pid_t compile_start(const compilation *o) {
    char include[NATIVE_PATH_SIZE + 2], assembly[NATIVE_PATH_SIZE + 8];
    char dump[NATIVE_PATH_SIZE + 64];
    bool faithful = o->optimize;
    name_file(o, ".s", assembly);
    command c = {0};
    vector_push(&c, compiler_of(o));
    add_compile_flags(&c, o);
    command_add(&c, common_flags);
    if (compile_is_clang(o->compiler)) {
        command_add(&c, clang_flags);
    } else {
        command_add(&c, gcc_flags);
        command_add(&c, faithful ? gcc_faithful_flags : gcc_O0_flags);
        snprintf(dump, sizeof dump, "-fdump-tree-%s-lineno=%s.tsan", faithful ? "tsan" : "tsan0",
                 o->stem);
        vector_push(&c, dump);
    }
    if (folder_of_headers(include + 2)) {
        vector_push(&c, memcpy(include, "-I", 2));
    }
    const char *rest[] = {"-S", "-o", assembly, o->source, NULL};
    command_add(&c, rest);
    pid_t process = command_start(&c);
    vector_free(&c);
    return process;
}

/* What the compiler left uncovered is marked; and the object is known to be heddle's. */
static bool edit(const compilation *o, const char *assembly) {
    char dump[NATIVE_PATH_SIZE + 8];
    unseen_list found = {0};
    undetermined_list undetermined = {0};
    bool atomic;
    name_file(o, ".tsan", dump);
    unseen_in_dump(dump, &found); /* clang writes none */
    undetermined_in_dump(dump, &undetermined);
    bool good = gaps_edit(assembly) && atomic_functions_edit(assembly, &atomic) &&
                marks_edit(assembly, o->source, &found, &undetermined, atomic) &&
                (o->optimize || leftovers_edit(assembly));
    vector_free(&found);
    vector_free(&undetermined);
    FILE *out = good ? fopen(assembly, "a") : NULL;
    if (out) {
        fputs("\t.section " COMPILED_SECTION ",\"\",%progbits\n\t.ascii \"1\"\n", out);
    }
    return out && fclose(out) == 0;
}

bool compile_finish(const compilation *o) {
    char assembly[NATIVE_PATH_SIZE + 8];
    name_file(o, ".s", assembly);
    if (!edit(o, assembly)) {
        return false;
    }
    command c = {0};
    vector_push(&c, compiler_of(o));
    for (uint32_t i = 0; i < o->flag_count; i++) {
        if (strncmp(o->flags[i], "-m", 2) == 0) {
            vector_push(&c, o->flags[i]);
        }
    }
    const char *rest[] = {"-c", "-o", o->object, assembly, NULL};
    command_add(&c, rest);
    bool good = command_run(&c);
    vector_free(&c);
    return good;
}
