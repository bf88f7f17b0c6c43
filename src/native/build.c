/* From sources to a shared object that heddle can load: compile with the thread instrumentation,
 * put heddle's functions in the place of libc's (objcopy --redefine-syms), link.
 *
 * Rejected: interposing libc's names globally, which would catch heddle's own libraries, and the
 * linker's --wrap, which fails silently for names that libgcc defines. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/command.h"
#include "native/folder.h"
#include "native/native.h"
#include "native/objects.h"
#include "native/unseen.h"
#include "runtime/symbols.h"

enum { MAX_COMPILERS = 4 };

#define DUMP_SUFFIX ".tsan" /* of the compiler's dumps; see unseen.h */

static const char *const gcc_flags[] = {"-g",
                                        "-fPIC",
                                        "-fno-builtin",
                                        "-fsanitize=thread",
                                        "--param",
                                        "tsan-distinguish-volatile=1",
                                        "--param",
                                        "tsan-instrument-func-entry-exit=0",
                                        "-U_FORTIFY_SOURCE",
                                        "-D__builtin_memcpy=memcpy",
                                        "-D__builtin_memset=memset",
                                        "-D__builtin_memmove=memmove",
                                        "-ftls-model=global-dynamic",
                                        "-O0",
                                        NULL};

/* -O1 that keeps every access of the source. */
static const char *const gcc_faithful_flags[] = {"-g",
                                                 "-fPIC",
                                                 "-fno-builtin",
                                                 "-fsanitize=thread",
                                                 "--param",
                                                 "tsan-distinguish-volatile=1",
                                                 "--param",
                                                 "tsan-instrument-func-entry-exit=0",
                                                 "-U_FORTIFY_SOURCE",
                                                 "-D__builtin_memcpy=memcpy",
                                                 "-D__builtin_memset=memset",
                                                 "-D__builtin_memmove=memmove",
                                                 "-ftls-model=global-dynamic",
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
                                                 NULL};

static const char *const clang_flags[] = {"-gdwarf-4",
                                          "-gdwarf-aranges",
                                          "-fPIC",
                                          "-fno-builtin",
                                          "-mcx16",
                                          "-fsanitize=thread",
                                          "-mllvm",
                                          "-tsan-distinguish-volatile=1",
                                          "-mllvm",
                                          "-tsan-instrument-func-entry-exit=0",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write=1",
                                          "-U_FORTIFY_SOURCE",
                                          "-ftls-model=global-dynamic",
                                          "-O0",
                                          NULL};

typedef VECTOR(char *) path_list;

typedef struct building {
    const native_options *options;
    const char *folder;
    char *message;
    path_list objects; /* private copies */
    object_symbols symbols;
    char *warnings;
} building;

static bool fail(building *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(building *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->message, NATIVE_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_clang(const char *compiler) {
    return compiler && strstr(compiler, "clang") != NULL;
}

const char *const *native_compiler_flags(const char *compiler, enum native_level level) {
    return is_clang(compiler)            ? clang_flags
           : level == NATIVE_FAITHFUL_O1 ? gcc_faithful_flags
                                         : gcc_flags;
}

static const char *compiler_of(const native_options *o) {
    return o->compiler ? o->compiler : "gcc";
}

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static bool is_source(const char *path) {
    return ends_with(path, ".c") || ends_with(path, ".i");
}

static void add_words(command *c, const char *const *words) {
    for (; *words; words++) {
        vector_push(c, *words);
    }
}

/* Flags that only the linker understands. */
static bool is_link_flag(const char *flag) {
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 ||
           strncmp(flag, "-Wl,", 4) == 0 || strcmp(flag, "-Xlinker") == 0 ||
           strcmp(flag, "-z") == 0 || strcmp(flag, "-u") == 0;
}

static bool has_separate_word(const char *flag) {
    return strcmp(flag, "-l") == 0 || strcmp(flag, "-L") == 0 || strcmp(flag, "-Xlinker") == 0 ||
           strcmp(flag, "-z") == 0 || strcmp(flag, "-u") == 0;
}

/* A library that the runtime stands in for: the processes of <heddle/actor.h>. */
static bool stands_in(const char *flag) {
    return strcmp(flag, "-lheddle-actor") == 0;
}

/* The archive that -lNAME means, in the folders of -L; a shared library comes first there. */
static bool archive_of(const native_options *o, const char *flag, char *path) {
    if (strncmp(flag, "-l", 2) != 0 || !flag[2]) {
        return false;
    }
    for (uint32_t i = 0; i < o->flag_count; i++) {
        const char *folder = strncmp(o->flags[i], "-L", 2) == 0 ? o->flags[i] + 2 : NULL;
        if (folder && !*folder && i + 1 < o->flag_count) {
            folder = o->flags[i + 1];
        }
        if (!folder) {
            continue;
        }
        snprintf(path, NATIVE_PATH_SIZE, "%s/lib%s.so", folder, flag + 2);
        if (access(path, R_OK) == 0) {
            return false;
        }
        snprintf(path, NATIVE_PATH_SIZE, "%s/lib%s.a", folder, flag + 2);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* The user's flags for the linker, or all others. */
static void add_flags(command *c, const native_options *o, bool link) {
    for (uint32_t i = 0; i < o->flag_count; i++) {
        char path[NATIVE_PATH_SIZE];
        bool wanted = is_link_flag(o->flags[i]) == link && !stands_in(o->flags[i]) &&
                      !archive_of(o, o->flags[i], path);
        if (wanted) {
            vector_push(c, o->flags[i]);
        }
        if (has_separate_word(o->flags[i]) && i + 1 < o->flag_count) {
            i++;
            if (wanted) {
                vector_push(c, o->flags[i]);
            }
        }
    }
}

static char *object_path(building *b, const char *input) {
    char *path = memory_resize(NULL, 0, NATIVE_PATH_SIZE);
    snprintf(path, NATIVE_PATH_SIZE, "%s/%u%s", b->folder, b->objects.count,
             ends_with(input, ".a") ? ".a" : ".o");
    vector_push(&b->objects, path);
    return path;
}

static pid_t start_compiler(building *b, const char *source) {
    const native_options *o = b->options;
    char include[NATIVE_PATH_SIZE + 2];
    command c = {0};
    vector_push(&c, compiler_of(o));
    add_flags(&c, o, false);
    add_words(&c, native_compiler_flags(o->compiler, o->level));
    if (folder_of_headers(include + 2)) {
        vector_push(&c, memcpy(include, "-I", 2));
    }
    const char *output = object_path(b, source);
    char dump[NATIVE_PATH_SIZE + 64];
    snprintf(dump, sizeof dump, "-fdump-tree-tsan0-lineno=%s" DUMP_SUFFIX, output);
    const char *rest[] = {"-c", "-o", output, source, NULL};
    add_words(&c, rest);
    if (!is_clang(o->compiler) && o->level == NATIVE_O0) {
        vector_push(&c, dump);
    }
    pid_t process = command_start(&c);
    vector_free(&c);
    return process;
}

static bool copy_file(building *b, const char *from, const char *to) {
    command c = {0};
    const char *words[] = {"cp", "--", from, to, NULL};
    add_words(&c, words);
    bool copied = command_run(&c);
    vector_free(&c);
    return copied || fail(b, "cannot copy %s", from);
}

static void warn_uncontrolled(building *b, const char *name) {
    size_t used = strlen(b->warnings);
    snprintf(b->warnings + used, NATIVE_MESSAGE_SIZE - used, "%s%s", used ? ", " : "", name);
}

/* Objects that were not built with heddle's flags touch memory unseen. */
static void check_instrumented(building *b, const char *input, const char *object) {
    object_symbols own = {0};
    bool defines = false, announces = false;
    if (objects_read(&own, object)) {
        for (uint32_t i = 0; i < own.items.count; i++) {
            defines |= own.items.items[i].defined;
            announces |= strncmp(own.items.items[i].name, "__tsan_", 7) == 0;
        }
    }
    objects_free(&own);
    if (defines && !announces) {
        char text[NATIVE_PATH_SIZE + 64];
        snprintf(text, sizeof text, "the code of %s (build it with heddle cc)", input);
        warn_uncontrolled(b, text);
    }
}

static bool take_object(building *b, const char *input) {
    const char *object = object_path(b, input);
    if (!copy_file(b, input, object)) {
        return false;
    }
    check_instrumented(b, input, object);
    return true;
}

/* Archives that are named by -lNAME are renamed like those named by their path. */
static bool gather_archives(building *b) {
    char path[NATIVE_PATH_SIZE];
    for (uint32_t i = 0; i < b->options->flag_count; i++) {
        const char *flag = b->options->flags[i];
        if (!stands_in(flag) && archive_of(b->options, flag, path) && !take_object(b, path)) {
            return false;
        }
    }
    return true;
}

/* Compiles the sources, a few at a time, and copies what is compiled already. */
static bool gather_objects(building *b) {
    pid_t running[MAX_COMPILERS];
    uint32_t count = 0;
    bool good = true;
    for (uint32_t i = 0; i < b->options->input_count && good; i++) {
        const char *input = b->options->inputs[i];
        if (access(input, R_OK) != 0) {
            good = fail(b, "%s: %s", input, strerror(errno));
        } else if (!is_source(input)) {
            good = take_object(b, input);
        } else {
            if (count == MAX_COMPILERS) {
                good = command_wait(running[--count]);
            }
            running[count++] = start_compiler(b, input);
        }
    }
    while (count) {
        good = command_wait(running[--count]) && good;
    }
    good = good && gather_archives(b);
    if (!good && !b->message[0]) {
        fail(b, command_interrupted() ? "interrupted" : "the program does not compile");
    }
    return good;
}

static bool read_symbols(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        if (!objects_read(&b->symbols, b->objects.items[i])) {
            return fail(b, "%s is not an object file or archive", b->options->inputs[i]);
        }
    }
    return true;
}

/* A function for every call that is not under control; it says so when it is called. */
static bool write_stub(FILE *stubs, const char *name) {
    return fprintf(stubs,
                   "void heddle_unsupported_%s(void) {\n"
                   "    heddle_unsupported(\"%s\", __builtin_return_address(0));\n}\n",
                   name, name) > 0;
}

#define UNSEEN_WORDS "a struct passed or returned by value at "

static void warn_unseen(void *context, const char *place) {
    building *b = context;
    char text[NATIVE_PATH_SIZE];
    snprintf(text, sizeof text, UNSEEN_WORDS "%s", place);
    if (!strstr(b->warnings, text)) {
        warn_uncontrolled(b, text);
    }
}

/* Accesses that the compiler leaves out. */
static bool find_unseen(building *b) {
    object_symbols data = {0};
    for (uint32_t i = 0; i < b->objects.count; i++) {
        objects_read_data(&data, b->objects.items[i]);
    }
    for (uint32_t i = 0; i < b->objects.count; i++) {
        char dump[NATIVE_PATH_SIZE + 16];
        snprintf(dump, sizeof dump, "%s" DUMP_SUFFIX, b->objects.items[i]);
        unseen_find(dump, &data, warn_unseen, b);
    }
    objects_free(&data);
    return true;
}

/* Writes the renamings and the stubs; counts both. */
static bool write_names(building *b, const char *names_path, const char *stubs_path,
                        uint32_t *renamed, uint32_t *stub_count) {
    FILE *names = fopen(names_path, "w");
    FILE *stubs = fopen(stubs_path, "w");
    bool good = names && stubs;
    if (good) {
        fputs("void heddle_unsupported(const char *, const void *);\n", stubs);
    }
    for (uint32_t i = 0; i < b->symbols.items.count && good; i++) {
        const object_symbol *s = &b->symbols.items.items[i];
        if (s->defined) {
            continue;
        }
        if (symbols_supported(s->name)) {
            good = fprintf(names, "%s heddle_%s\n", s->name, s->name) > 0;
            ++*renamed;
        } else if (symbols_forbidden(s->name)) {
            good = fprintf(names, "%s heddle_unsupported_%s\n", s->name, s->name) > 0 &&
                   write_stub(stubs, s->name);
            ++*renamed;
            ++*stub_count;
        } else if (!symbols_harmless(s->name)) {
            warn_uncontrolled(b, s->name);
        }
    }
    good = (!names || fclose(names) == 0) && good;
    good = (!stubs || fclose(stubs) == 0) && good;
    return good || fail(b, "cannot write to %s: %s", b->folder, strerror(errno));
}

static bool rename_in(building *b, const char *names_path, const char *object) {
    char option[NATIVE_PATH_SIZE + 32];
    snprintf(option, sizeof option, "--redefine-syms=%s", names_path);
    command c = {0};
    const char *words[] = {"objcopy", option, object, NULL};
    add_words(&c, words);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "objcopy failed");
}

static bool compile_stubs(building *b, const char *stubs_path) {
    command c = {0};
    const char *output = object_path(b, "stubs.o");
    const char *words[] = {
        compiler_of(b->options), "-O1", "-fPIC", "-c", "-o", output, stubs_path, NULL};
    add_words(&c, words);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "the compiler failed on a file of heddle's own");
}

static bool rename_symbols(building *b) {
    char names_path[NATIVE_PATH_SIZE + 16], stubs_path[NATIVE_PATH_SIZE + 16];
    snprintf(names_path, sizeof names_path, "%s/names", b->folder);
    snprintf(stubs_path, sizeof stubs_path, "%s/stubs.c", b->folder);
    uint32_t renamed = 0, stub_count = 0;
    if (!write_names(b, names_path, stubs_path, &renamed, &stub_count)) {
        return false;
    }
    for (uint32_t i = 0; i < b->objects.count && renamed; i++) {
        if (!rename_in(b, names_path, b->objects.items[i])) {
            return false;
        }
    }
    return !stub_count || compile_stubs(b, stubs_path);
}

static bool link_objects(building *b, const char *output) {
    const native_options *o = b->options;
    command c = {0};
    const char *words[] = {compiler_of(o),   "-shared", "-fPIC", "-Wl,-z,now", "-Wl,-z,relro",
                           "-Wl,-Bsymbolic", "-o",      output,  NULL};
    add_words(&c, words);
    for (uint32_t i = 0; i < b->objects.count; i++) {
        vector_push(&c, b->objects.items[i]);
    }
    add_flags(&c, o, true);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "the program does not link");
}

static void building_free(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        memory_resize(b->objects.items[i], NATIVE_PATH_SIZE, 0);
    }
    vector_free(&b->objects);
    objects_free(&b->symbols);
}

static bool defines_main(building *b) {
    for (uint32_t i = 0; i < b->symbols.items.count; i++) {
        const object_symbol *s = &b->symbols.items.items[i];
        if (s->defined && strcmp(s->name, "main") == 0) {
            return true;
        }
    }
    return fail(b, "the program has no main");
}

static bool build(const native_options *o, const char *folder, const char *output, char *warnings,
                  char *message) {
    building b = {.options = o, .folder = folder, .message = message, .warnings = warnings};
    message[0] = warnings[0] = '\0';
    bool good = gather_objects(&b) && read_symbols(&b) && defines_main(&b) && find_unseen(&b) &&
                rename_symbols(&b) && link_objects(&b, output);
    building_free(&b);
    return good;
}

bool native_is_program(const char *path) {
    object_symbols symbols = {0};
    bool callbacks = false, main_defined = false;
    if (!ends_with(path, ".o") && !ends_with(path, ".a") && !is_source(path) &&
        objects_read(&symbols, path)) {
        for (uint32_t i = 0; i < symbols.items.count; i++) {
            const object_symbol *s = &symbols.items.items[i];
            callbacks = callbacks || strcmp(s->name, "__tsan_init") == 0;
            main_defined = main_defined || (s->defined && strcmp(s->name, "main") == 0);
        }
    }
    objects_free(&symbols);
    return callbacks && main_defined;
}

bool native_build(const native_options *o, native_program *program, char *message) {
    *program = (native_program){0};
    message[0] = '\0';
    if (o->input_count == 1 && native_is_program(o->inputs[0])) {
        char *absolute = realpath(o->inputs[0], NULL);
        snprintf(program->path, sizeof program->path, "%s", absolute ? absolute : o->inputs[0]);
        free(absolute);
        return true;
    }
    command_hold_interrupts();
    bool good = folder_create(program->folder, message);
    if (good) {
        snprintf(program->path, sizeof program->path, "%.*s/program.so", NATIVE_PATH_SIZE - 16,
                 program->folder);
        good = build(o, program->folder, program->path, program->warnings, message);
        program->unseen = program->warnings[0] != '\0';
    }
    if (!good || command_interrupted()) {
        native_remove(program);
    }
    command_release_interrupts();
    return good;
}

bool native_link(const native_options *o, const char *output, char *message) {
    native_program program = {0};
    command_hold_interrupts();
    bool good = folder_create(program.folder, message) &&
                build(o, program.folder, output, program.warnings, message);
    native_remove(&program);
    command_release_interrupts();
    return good;
}

void native_remove(native_program *program) {
    if (program->folder[0]) {
        folder_remove(program->folder);
        program->folder[0] = '\0';
    }
}
