/* From sources to a shared object that heddle can load: compile with the thread instrumentation,
 * put heddle's functions in the place of libc's (objcopy --redefine-syms), link.
 *
 * Rejected: interposing libc's names globally, which would catch heddle's own libraries, and the
 * linker's --wrap, which fails silently for names that libgcc defines. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "targets/native/command.h"
#include "targets/native/compile.h"
#include "targets/native/constructors.h"
#include "targets/native/folder.h"
#include "targets/native/marks.h"
#include "targets/native/native.h"
#include "targets/native/objects.h"
#include "targets/native/sites.h"
#include "targets/native/thunks.h"
#include "targets/runtime/kernel/symbols.h"

enum { MAX_COMPILERS = 4 };

/* A private copy. */
typedef struct program_object {
    char path[NATIVE_PATH_SIZE];
    char input[NATIVE_PATH_SIZE]; /* what the user named */
    bool given;                   /* compiled before */
    compilation compilation;      /* otherwise */
} program_object;

typedef struct building {
    const settings *settings;
    const char *folder;
    char *message;
    VECTOR(program_object *) objects;
    object_symbols symbols;
} building;

static bool fail(building *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(building *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->message, NATIVE_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static const char *compiler_of(const settings *o) {
    return o->compiler ? o->compiler : "gcc";
}

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static bool is_source(const char *path) {
    return ends_with(path, ".c") || ends_with(path, ".i");
}

/* ---- flags ---- */

/* A library that the runtime stands in for: the processes of <heddle/actor.h>. */
static bool stands_in(const char *flag) {
    return strcmp(flag, "-lheddle-actor") == 0;
}

/* The folder of the flag at this index, if it is -L. */
static const char *library_folder(const settings *o, uint32_t i) {
    const char *flag = vector_at(&o->flags, i);
    if (strncmp(flag, "-L", 2) != 0) {
        return NULL;
    }
    return flag[2] ? flag + 2 : i + 1 < o->flags.count ? vector_at(&o->flags, i + 1) : NULL;
}

/* The archive that -lNAME means, in the folders of -L; a shared library comes first there. */
static bool archive_of(const settings *o, const char *flag, char *path) {
    if (strncmp(flag, "-l", 2) != 0 || !flag[2]) {
        return false;
    }
    for (uint32_t i = 0; i < o->flags.count; i++) {
        const char *folder = library_folder(o, i);
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

static void write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
    fputs("\"\n", out);
}

/* The user's flags for the linker. Shared libraries are found at run time where the linker found
 * them. */
static void write_link_flags(const settings *o, FILE *out) {
    char path[NATIVE_PATH_SIZE];
    for (uint32_t i = 0; i < o->flags.count; i++) {
        bool two_words;
        bool wanted = compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
                      !stands_in(vector_at(&o->flags, i)) &&
                      !archive_of(o, vector_at(&o->flags, i), path);
        char *folder = library_folder(o, i) ? realpath(library_folder(o, i), NULL) : NULL;
        if (folder) {
            fputs("-Xlinker -rpath -Xlinker ", out);
            write_quoted(out, folder);
            free(folder);
        }
        for (uint32_t last = i + (two_words && i + 1 < o->flags.count); i <= last; i++) {
            if (wanted) {
                write_quoted(out, vector_at(&o->flags, i));
            }
        }
        i--;
    }
}

/* ---- objects ---- */

static program_object *add_object(building *b, const char *input) {
    program_object *o = memory_resize(NULL, 0, sizeof *o);
    snprintf(o->path, sizeof o->path, "%s/%u%s", b->folder, b->objects.count,
             ends_with(input, ".a") ? ".a" : ".o");
    snprintf(o->input, sizeof o->input, "%s", input);
    vector_push(&b->objects, o);
    return o;
}

static pid_t start_compiler(building *b, const char *source) {
    const settings *o = b->settings;
    program_object *object = add_object(b, source);
    object->compilation = (compilation){.compiler = o->compiler,
                                        .optimize = o->optimize,
                                        .flags = o->flags.items,
                                        .flag_count = o->flags.count,
                                        .source = source,
                                        .object = object->path};
    snprintf(object->compilation.stem, NATIVE_PATH_SIZE, "%s", object->path);
    return compile_start(&object->compilation);
}

static bool finish_compilations(building *b) {
    bool good = true;
    for (uint32_t i = 0; i < b->objects.count && good; i++) {
        const program_object *o = vector_at(&b->objects, i);
        good = o->given || compile_finish(&o->compilation);
    }
    return good;
}

static bool take_object(building *b, const char *input) {
    program_object *o = add_object(b, input);
    o->given = true;
    command c = {0};
    const char *words[] = {"cp", "--", input, o->path, NULL};
    command_add(&c, words);
    bool copied = command_run(&c);
    vector_free(&c);
    return copied || fail(b, "cannot copy %s", input);
}

/* Archives that are named by -lNAME are renamed like those named by their path. */
static bool gather_archives(building *b) {
    char path[NATIVE_PATH_SIZE];
    for (uint32_t i = 0; i < b->settings->flags.count; i++) {
        const char *flag = vector_at(&b->settings->flags, i);
        if (!stands_in(flag) && archive_of(b->settings, flag, path) && !take_object(b, path)) {
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
    for (uint32_t i = 0; i < b->settings->files.count && good; i++) {
        const char *input = vector_at(&b->settings->files, i);
        if (access(input, R_OK) != 0) {
            good = fail(b, "%s: %s", input, strerror(errno));
        } else if (!is_source(input)) {
            good = take_object(b, input);
        } else {
            if (count == MAX_COMPILERS) {
                good = command_wait(running[--count]);
            }
            running[count] = start_compiler(b, input);
            good = good &&
                   (running[count] >= 0 || command_interrupted() ||
                    fail(b, "%s cannot be compiled without %s", input, compiler_of(b->settings)));
            count++;
        }
    }
    while (count) {
        good = command_wait(running[--count]) && good;
    }
    good = good && finish_compilations(b) && gather_archives(b);
    if (!good && !b->message[0]) {
        fail(b, "the program does not compile");
    }
    return good;
}

static bool read_symbols(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        const program_object *o = vector_at(&b->objects, i);
        if (!objects_read(&b->symbols, o->path)) {
            return fail(b, "%s is not an object file or archive", o->input);
        }
    }
    return true;
}

/* Where a function is checked, none is needed. */
static bool defines_main(building *b) {
    if (b->settings->function) {
        return true;
    }
    for (uint32_t i = 0; i < b->symbols.items.count; i++) {
        const object_symbol *s = &vector_at(&b->symbols.items, i);
        if (s->defined && strcmp(s->name, "main") == 0) {
            return true;
        }
    }
    return fail(b, "the program has no main");
}

/* ---- names ---- */

/* Files of the linking step. */
typedef struct linking {
    FILE *names;   /* for objcopy: what is called what from now on */
    FILE *stubs;   /* C: functions that are part of the program */
    FILE *thunks;  /* assembly, between the program and what is not under control */
    FILE *command; /* for the linker: the rest of its command line */
} linking;

/* A function for every call that is not under control; it says so when it is called. */
static void write_stub(FILE *stubs, const char *name) {
    fprintf(stubs,
            "void heddle_unsupported_%s(void) {\n"
            "    heddle_unsupported(\"%s\", __builtin_return_address(0));\n}\n",
            name, name);
}

/* What runs if somebody starts the linked program itself. No loader has been there: nothing is
 * relocated, no function can be called. */
static const char entry[] =
    "__attribute__((used)) void heddle_entry(void) {\n"
    "    static const char words[] = \"heddle: this program was linked by heddle cc; \"\n"
    "        \"run it with: heddle check PROGRAM\\n\";\n"
    "#ifdef __x86_64__\n"
    "    long done = 1;\n"
    "    __asm__ volatile(\"syscall\" : \"+a\"(done) : \"D\"(2L), \"S\"(words),\n"
    "        \"d\"(sizeof words - 1) : \"rcx\", \"r11\", \"memory\");\n"
    "    __asm__ volatile(\"syscall\" : : \"a\"(231L), \"D\"(2L));\n"
    "#else\n"
    "    register long a __asm__(\"x0\") = 2, n __asm__(\"x8\") = 64;\n"
    "    register const char *b __asm__(\"x1\") = words;\n"
    "    register long c __asm__(\"x2\") = sizeof words - 1;\n"
    "    __asm__ volatile(\"svc 0\" : \"+r\"(a) : \"r\"(n), \"r\"(b), \"r\"(c) : \"memory\");\n"
    "    a = 2, n = 94;\n"
    "    __asm__ volatile(\"svc 0\" : : \"r\"(a), \"r\"(n));\n"
    "#endif\n"
    "    __builtin_unreachable();\n}\n";

/* Found when the program is loaded, in heddle itself. */
static void write_imported(FILE *linker, const char *name) {
    bool ours = strncmp(name, "heddle_", 7) == 0 || strncmp(name, "__tsan_", 7) == 0 ||
                strncmp(name, "__VERIFIER_", 11) == 0 || strcmp(name, "reach_error") == 0;
    if (ours && dlsym(RTLD_DEFAULT, name)) {
        fprintf(linker, "-Wl,--ignore-unresolved-symbol=%s\n", name);
    }
}

/* Whether the user names libraries for the linker. */
static bool has_libraries(const settings *o) {
    bool two_words;
    for (uint32_t i = 0; i < o->flags.count; i++) {
        if (compile_is_link_flag(vector_at(&o->flags, i), &two_words) &&
            strncmp(vector_at(&o->flags, i), "-L", 2) != 0) {
            return true;
        }
        i += two_words;
    }
    return false;
}

/* An undetermined value of which little is seen; the program may have a definition of its own. */
static bool write_undetermined(building *b, const linking *l, const char *name) {
    static const char *const replacements[][2] = {{UNDETERMINED_IDLE, "heddle_nondet_idle"},
                                                  {UNDETERMINED_TRUTH, "heddle_nondet_truth"}};
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        size_t length = strlen(replacements[i][0]);
        if (strncmp(name, replacements[i][0], length) == 0) {
            const object_symbol *own = objects_find(&b->symbols, name + length);
            const char *ours = replacements[i][1];
            fprintf(l->thunks, "\t.text\n\t.globl %s\n%s:\tjmp *%s@GOTPCREL(%%rip)\n", name, name,
                    own && own->defined ? name + length : ours);
            write_imported(l->command, ours);
            return true;
        }
    }
    return false;
}

static void write_replaced(const linking *l, const char *name) {
    char ours[256];
    snprintf(ours, sizeof ours, "heddle_%s", name);
    fprintf(l->names, "%s %s\n", name, ours);
    write_imported(l->command, ours);
}

/* Part of the program, because what it keeps is the program's. */
static void write_program_code(const linking *l, const char *name) {
    const program_code *code = symbols_program_code(name);
    const char *helper;
    fprintf(l->names, "%s heddle_program_%s\n", name, name);
    fprintf(l->stubs, "#ifndef HEDDLE_%s\n#define HEDDLE_%s\n%s#endif\n", code->group, code->group,
            code->text);
    for (uint32_t i = 0; (helper = symbols_helper(i)); i++) {
        if (strstr(code->text, helper)) {
            write_imported(l->command, helper);
        }
    }
}

static void write_name(building *b, const linking *l, thunks *t, const object_symbol *s) {
    const char *name = s->name;
    if (write_undetermined(b, l, name)) {
        return;
    }
    switch (symbols_class(name)) {
        case SYMBOL_SUPPORTED: write_replaced(l, name); break;
        case SYMBOL_IN_PROGRAM: write_program_code(l, name); break;
        case SYMBOL_FORBIDDEN:
            fprintf(l->names, "%s heddle_unsupported_%s\n", name, name);
            write_stub(l->stubs, name);
            break;
        case SYMBOL_HARMLESS: write_imported(l->command, name); break;
        case SYMBOL_UNKNOWN:
            write_imported(l->command, name);
            thunks_add_unknown(t, s, has_libraries(b->settings));
    }
}

static bool close_file(FILE *file) {
    bool good = file && !ferror(file);
    return (!file || fclose(file) == 0) && good;
}

static FILE *open_file(building *b, const char *name, char *path) {
    snprintf(path, NATIVE_PATH_SIZE, "%s/%s", b->folder, name);
    return fopen(path, "w");
}

typedef struct linking_paths {
    char names[NATIVE_PATH_SIZE], stubs[NATIVE_PATH_SIZE], thunks[NATIVE_PATH_SIZE],
        command[NATIVE_PATH_SIZE];
} linking_paths;

static void write_stubs(building *b, bool executable, const linking *l) {
    thunks t = {.assembly = l->thunks, .linker = l->command};
    fputs("void heddle_unsupported(const char *, const void *);\n", l->stubs);
    fputs(sites_bounds_text, l->stubs);
    write_imported(l->command, "heddle_unsupported");
    for (uint32_t i = 0; i < b->symbols.items.count; i++) {
        const object_symbol *s = &vector_at(&b->symbols.items, i);
        if (!s->defined) {
            write_name(b, l, &t, s);
        }
    }
    for (uint32_t i = 0; i < b->objects.count; i++) {
        const program_object *o = vector_at(&b->objects, i);
        thunks_add_foreign(&t, o->path, o->input, &b->symbols);
    }
    write_link_flags(b->settings, l->command);
    fputs("\t.section .note.GNU-stack,\"\",%progbits\n", l->thunks);
    if (executable) {
        fputs(entry, l->stubs);
        fputs("-Wl,-e,heddle_entry\n", l->command);
    }
}

static bool write_names(building *b, bool executable, linking_paths *paths) {
    linking l = {open_file(b, "names", paths->names), open_file(b, "stubs.c", paths->stubs),
                 open_file(b, "thunks.s", paths->thunks), open_file(b, "link", paths->command)};
    bool good = l.names && l.stubs && l.thunks && l.command;
    if (good) {
        write_stubs(b, executable, &l);
    }
    good = close_file(l.names) && good;
    good = close_file(l.stubs) && good;
    good = close_file(l.thunks) && good;
    good = close_file(l.command) && good;
    return good || fail(b, "cannot write to %s: %s", b->folder, strerror(errno));
}

static bool rename_in(building *b, const char *names_path, const char *object) {
    char option[NATIVE_PATH_SIZE + 32];
    snprintf(option, sizeof option, "--redefine-syms=%s", names_path);
    command c = {0};
    const char *words[] = {"objcopy", "--remove-section=" COMPILED_SECTION, option, object, NULL};
    command_add(&c, words);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "objcopy failed");
}

static bool compile_stub(building *b, const char *path, const char *output) {
    command c = {0};
    const char *words[] = {
        compiler_of(b->settings), "-O1", "-fPIC", "-c", "-o", output, path, NULL};
    command_add(&c, words);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "the compiler failed on a file of heddle's own");
}

static bool rename_symbols(building *b, const linking_paths *paths) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        if (!rename_in(b, paths->names, vector_at(&b->objects, i)->path)) {
            return false;
        }
    }
    return compile_stub(b, paths->stubs, add_object(b, "stubs.o")->path) &&
           compile_stub(b, paths->thunks, add_object(b, "thunks.o")->path);
}

/* ---- linking ---- */

static bool link_objects(building *b, const char *command_path, const char *output) {
    char rest[NATIVE_PATH_SIZE + 1];
    snprintf(rest, sizeof rest, "@%s", command_path);
    command c = {0};
    const char *words[] = {
        compiler_of(b->settings), "-shared",        "-fPIC", "-Wl,-z,defs", "-Wl,-z,now",
        "-Wl,-z,relro",           "-Wl,-Bsymbolic", "-o",    output,        NULL};
    command_add(&c, words);
    vector_push(&c, "-Wl,--start-group"); /* thunks come last and want what archives have */
    for (uint32_t i = 0; i < b->objects.count; i++) {
        vector_push(&c, vector_at(&b->objects, i)->path);
    }
    vector_push(&c, "-Wl,--end-group");
    vector_push(&c, rest);
    bool good = command_run(&c);
    vector_free(&c);
    return good || fail(b, "the program does not link");
}

/* They run in every execution, not when the program is loaded. */
static bool hide_constructors(building *b, const char *output) {
    return constructors_hide(output) || fail(b, "%s cannot be read", output);
}

static void building_free(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        memory_resize(vector_at(&b->objects, i), sizeof *vector_at(&b->objects, i), 0);
    }
    vector_free(&b->objects);
    objects_free(&b->symbols);
}

/* `executable`: it stays, and somebody may try to run it. */
static bool build(const settings *o, const char *folder, const char *output, bool executable,
                  char *message) {
    building b = {.settings = o, .folder = folder, .message = message};
    linking_paths paths;
    message[0] = '\0';
    bool good = gather_objects(&b) && read_symbols(&b) && defines_main(&b) &&
                write_names(&b, executable, &paths) && rename_symbols(&b, &paths) &&
                link_objects(&b, paths.command, output) && hide_constructors(&b, output);
    building_free(&b);
    return good;
}

bool native_is_program(const char *path) {
    object_symbols symbols = {0};
    bool callbacks = false, main_defined = false;
    if (!ends_with(path, ".o") && !ends_with(path, ".a") && !is_source(path) &&
        objects_read(&symbols, path)) {
        for (uint32_t i = 0; i < symbols.items.count; i++) {
            const object_symbol *s = &vector_at(&symbols.items, i);
            callbacks = callbacks || strcmp(s->name, "__tsan_init") == 0;
            main_defined = main_defined || (s->defined && strcmp(s->name, "main") == 0);
        }
    }
    objects_free(&symbols);
    return callbacks && main_defined;
}

/* What `heddle cc` linked. */
static void take_program(native_program *program, const char *path) {
    char *absolute = realpath(path, NULL);
    snprintf(program->path, sizeof program->path, "%s", absolute ? absolute : path);
    free(absolute);
}

bool native_build_in(const settings *o, const char *folder, native_program *program,
                     char *message) {
    *program = (native_program){0};
    message[0] = '\0';
    if (o->files.count == 1 && native_is_program(vector_at(&o->files, 0))) {
        take_program(program, vector_at(&o->files, 0));
        return true;
    }
    snprintf(program->path, sizeof program->path, "%.*s/program.so", NATIVE_PATH_SIZE - 16, folder);
    return build(o, folder, program->path, false, message);
}

bool native_build(const settings *o, native_program *program, char *message) {
    char folder[NATIVE_PATH_SIZE] = "";
    *program = (native_program){0};
    command_hold_interrupts();
    bool good = folder_create(folder, message) && native_build_in(o, folder, program, message);
    snprintf(program->folder, sizeof program->folder, "%s", folder);
    if (command_interrupted()) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "interrupted while the program was built");
        good = false;
    }
    if (!good) {
        native_remove(program);
    }
    command_release_interrupts();
    return good;
}

bool native_link(const settings *o, const char *output, char *message) {
    native_program program = {0};
    command_hold_interrupts();
    bool good =
        folder_create(program.folder, message) && build(o, program.folder, output, true, message);
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
