/* Makes a shared object that heddle can load from sources: compiles with the thread
 * instrumentation, replaces libc's functions by heddle's (objcopy --redefine-syms), links.
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

#include "base/path.h"
#include "base/text.h"
#include "targets/native/alone.h"
#include "targets/native/attachment.h"
#include "targets/native/building.h"
#include "targets/native/command.h"
#include "targets/native/compile.h"
#include "targets/native/compiled.h"
#include "targets/native/compound.h"
#include "targets/native/constructors.h"
#include "targets/native/directory.h"
#include "targets/native/link_flags.h"
#include "targets/native/link_names.h"
#include "targets/native/linked.h"
#include "targets/native/native.h"
#include "targets/native/objects.h"
#include "targets/native/openmp/openmp.h"
#include "targets/native/thin_archive.h"
#include "targets/runtime/kernel/symbols.h"

enum { MAX_COMPILERS = 4 };

bool building_fail(building *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->message, NATIVE_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- objects ---- */

static program_object *add_object(building *b, const char *input) {
    program_object *o = memory_resize(NULL, 0, sizeof *o);
    snprintf(o->path, sizeof o->path, "%s/%u%s", b->directory, b->objects.count,
             path_has_suffix(input, ".a") ? ".a" : ".o");
    snprintf(o->input, sizeof o->input, "%s", input);
    vector_push(&b->objects, o);
    return o;
}

static pid_t start_compiler(building *b, const char *source) {
    const settings *o = b->settings;
    program_object *object = add_object(b, source);
    object->compilation = (compilation){.compiler = o->compiler,
                                        .optimize = o->optimize,
                                        .flags = b->flags.items,
                                        .flag_count = b->flags.count,
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
    if (attachment_extract(input, o->path)) {
        b->takes_shared = true;
        return true;
    }
    if (thin_archive_is(input)) {
        return thin_archive_copy(input, o->path) || building_fail(b, "cannot read %s", input);
    }
    const char *words[] = {"cp", "--", input, o->path, NULL};
    return command_run_words(words) || building_fail(b, "cannot copy %s", input);
}

/* All members of an archive were taken already. */
static bool is_taken_whole(const building *b, const char *input) {
    bool found = false;
    for (uint32_t i = 0; i < b->objects.count && !found; i++) {
        const program_object *o = vector_at(&b->objects, i);
        found = o->whole && strcmp(o->input, input) == 0;
    }
    return found;
}

/* A file that the user named. */
static bool take_file(building *b, const char *input) {
    const string_list *whole = &b->settings->whole;
    bool named = text_find(input, whole->items, whole->count) < whole->count;
    bool again = is_taken_whole(b, input), taken = take_object(b, input);
    vector_last(&b->objects)->whole = named && !again;
    return taken;
}

/* Libraries that are named by -lNAME are treated like those named by their path. */
static bool gather_archives(building *b) {
    char path[NATIVE_PATH_SIZE];
    bool good = true, whole;
    for (uint32_t i = 0; i < b->settings->flags.count && good; i++) {
        if (!link_flags_stand_in(vector_at(&b->settings->flags, i)) &&
            link_flags_find(b->settings, i, path, &whole)) {
            good = take_object(b, path);
            vector_last(&b->objects)->by_flag = true;
            vector_last(&b->objects)->whole = whole;
        }
    }
    return good;
}

void building_add_object(command *c, const program_object *o, const char *path) {
    bool whole = o->whole && path_has_suffix(path, ".a");
    if (whole) {
        vector_push(c, "-Wl,--whole-archive");
    }
    vector_push(c, path);
    if (whole) {
        vector_push(c, "-Wl,--no-whole-archive");
    }
}

static void copy_flags(building *b) {
    vector_assign(&b->flags, b->settings->flags.items, b->settings->flags.count);
    if (b->defines_inline) {
        vector_push(&b->flags, "-fgnu89-inline");
    }
}

/* Compiles the sources, a few at a time, and copies what is compiled already. */
static bool gather_objects(building *b) {
    pid_t running[MAX_COMPILERS];
    uint32_t count = 0;
    bool good = true;
    copy_flags(b);
    for (uint32_t i = 0; i < b->settings->files.count && good; i++) {
        const char *input = vector_at(&b->settings->files, i);
        if (access(input, R_OK) != 0) {
            good = building_fail(b, "%s: %s", input, strerror(errno));
        } else if (!compile_is_source(input)) {
            good = take_file(b, input);
        } else {
            if (count == MAX_COMPILERS) {
                good = command_wait(running[--count]);
            }
            running[count] = start_compiler(b, input);
            good = good && (running[count] >= 0 || command_interrupted() ||
                            building_fail(b, "%s cannot be compiled without %s", input,
                                          compile_command(b->settings->compiler)));
            count++;
        }
    }
    while (count) {
        good = command_wait(running[--count]) && good;
    }
    good = good && finish_compilations(b) && gather_archives(b);
    if (!good && !b->message[0]) {
        building_fail(b, "the program does not compile");
    }
    return good;
}

static bool read_symbols(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        const program_object *o = vector_at(&b->objects, i);
        if (!objects_read(&b->symbols, o->path)) {
            return building_fail(b,
                                 compile_is_other_language(o->input)
                                     ? "%s: heddle checks C programs, not C++"
                                     : "%s is not an object file or archive",
                                 o->input);
        }
    }
    return true;
}

static void forget_objects(building *b) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        memory_resize(vector_at(&b->objects, i), sizeof *vector_at(&b->objects, i), 0);
    }
    vector_clear(&b->objects);
    objects_free(&b->symbols);
}

/* C99 gives a function that is only inline no definition, and without optimisation it is called. */
static bool lacks_inline(const building *b) {
    bool compiles = false, lacks = false;
    for (uint32_t i = 0; i < b->objects.count; i++) {
        compiles = compiles || !vector_at(&b->objects, i)->given;
    }
    for (uint32_t i = 0; compiles && i < b->symbols.items.count; i++) {
        const object_symbol *s = &vector_at(&b->symbols.items, i);
        lacks =
            lacks || (!s->defined && s->name[0] != '_' &&
                      symbols_class(s->name) == SYMBOL_UNKNOWN && !dlsym(RTLD_DEFAULT, s->name));
    }
    return lacks;
}

static bool add_openmp(building *b) {
    char path[NATIVE_PATH_SIZE];
    if (!openmp_is_used(&b->symbols)) {
        return true;
    }
    if (!directory_find_library(OPENMP_OBJECT, path)) {
        return building_fail(b, "%s is neither beside heddle nor in ../lib", OPENMP_OBJECT);
    }
    return take_object(b, path) &&
           objects_read(&b->symbols, vector_at(&b->objects, b->objects.count - 1)->path);
}

/* Inline functions of GNU C89 have a definition in every file: one of them is used. */
static bool gather_and_read(building *b) {
    bool good = gather_objects(b) && read_symbols(b);
    if (good && lacks_inline(b)) {
        b->defines_inline = true;
        forget_objects(b);
        good = gather_objects(b) && read_symbols(b);
    }
    return good;
}

/* If a function is checked, no main is needed; and a program that links without one uses that of a
 * library, such as a test framework. */
static bool has_main(building *b, bool links_alone) {
    if (b->settings->function || links_alone) {
        return true;
    }
    for (uint32_t i = 0; i < b->symbols.items.count; i++) {
        const object_symbol *s = &vector_at(&b->symbols.items, i);
        if (s->defined && strcmp(s->name, "main") == 0) {
            return true;
        }
    }
    return building_fail(b, "the program has no main");
}

/* ---- names ---- */

static bool rename_in(building *b, const char *names_path, const char *object) {
    char option[NATIVE_PATH_SIZE + 32];
    snprintf(option, sizeof option, "--redefine-syms=%s", names_path);
    const char *words[] = {"objcopy", "--remove-section=" COMPILED_SECTION, option, object, NULL};
    return command_run_words(words) || building_fail(b, "objcopy failed");
}

static bool compile_stub(building *b, const char *path, const char *output) {
    const char *words[] = {
        compile_command(b->settings->compiler), "-O1", "-fPIC", "-c", "-o", output, path, NULL};
    return command_run_words(words) ||
           building_fail(b, "the compiler failed on a file of heddle's own");
}

/* Its thread-local variables are those of the program's threads, too. */
static bool compile_program_code(building *b, const char *path, const char *output) {
    const char *words[] = {"objcopy", "--redefine-sym=__tls_get_addr=heddle___tls_get_addr", output,
                           NULL};
    return compile_stub(b, path, output) &&
           (command_run_words(words) || building_fail(b, "objcopy failed"));
}

/* Objects of heddle's own. */
static bool add_linked(building *b, bool executable) {
    return (linked_write_bounds(add_object(b, "bounds.o")->path) &&
            (!executable || linked_write_entry(add_object(b, "entry.o")->path))) ||
           building_fail(b, "cannot write to %s: %s", b->directory, strerror(errno));
}

static bool rename_symbols(building *b, const linking_paths *paths) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        if (!rename_in(b, paths->names, vector_at(&b->objects, i)->path)) {
            return false;
        }
    }
    return (!paths->has_stubs ||
            compile_program_code(b, paths->stubs, add_object(b, "stubs.o")->path)) &&
           (!paths->has_thunks || compile_stub(b, paths->thunks, add_object(b, "thunks.o")->path));
}

/* ---- linking ---- */

static bool link_objects(building *b, const char *command_path, const char *output) {
    char rest[NATIVE_PATH_SIZE + 1];
    snprintf(rest, sizeof rest, "@%s", command_path);
    command c = {0};
    const char *words[] = {compile_command(b->settings->compiler),
                           "-shared",
                           "-fPIC",
                           "-Wl,-z,defs",
                           "-Wl,-z,now",
                           "-Wl,-z,relro",
                           "-Wl,-Bsymbolic",
                           "-o",
                           output,
                           NULL};
    command_add(&c, words);
    if (b->defines_inline || b->takes_shared) { /* the first counts, as for the dynamic linker */
        vector_push(&c, "-Wl,-z,muldefs");
    }
    vector_push(&c, "-Wl,--start-group"); /* thunks come last and want what archives have */
    for (uint32_t i = 0; i < b->objects.count; i++) {
        building_add_object(&c, vector_at(&b->objects, i), vector_at(&b->objects, i)->path);
    }
    vector_push(&c, "-Wl,--end-group");
    vector_push(&c, rest);
    vector_push(&c, "-Wl,--no-gc-sections"); /* a hidden main is wanted by nobody */
    command_add_mathematics(&c);
    bool good = command_run(&c);
    vector_free(&c);
    return good || building_fail(b, "the program does not link");
}

/* If that fails, it is determined again when the program is loaded. */
static bool keep_compounds(const char *output) {
    (void)compound_keep(output);
    return true;
}

/* They run in every execution, not when the program is loaded. */
static bool hide_constructors(building *b, const char *output) {
    return constructors_hide(output) || building_fail(b, "%s cannot be read", output);
}

static void building_free(building *b) {
    forget_objects(b);
    vector_free(&b->objects);
    vector_free(&b->flags);
}

/* `executable`: it is kept, and users may try to run it. */
static bool build(const settings *o, const char *directory, const char *output, bool executable,
                  char *message) {
    building b = {.settings = o, .directory = directory, .message = message};
    linking_paths paths;
    message[0] = '\0';
    char alone[NATIVE_PATH_SIZE] = "";
    bool good = gather_and_read(&b) && (!executable || alone_link_program(&b, output, alone)) &&
                add_openmp(&b) && has_main(&b, *alone != '\0') &&
                link_names_write(&b, executable, &paths) && rename_symbols(&b, &paths) &&
                add_linked(&b, executable) && link_objects(&b, paths.command, output) &&
                hide_constructors(&b, output) && keep_compounds(output) &&
                (!*alone || attachment_append(output, alone) ||
                 building_fail(&b, "cannot write %s", output));
    building_free(&b);
    return good;
}

/* A shared library, with its objects for programs that heddle links with it. */
static bool build_shared(const settings *o, const char *directory, const char *output,
                         char *message) {
    building b = {.settings = o, .directory = directory, .message = message};
    char objects[NATIVE_PATH_SIZE];
    message[0] = '\0';
    bool good =
        gather_objects(&b) && alone_link_shared(&b, output, objects) &&
        (attachment_append(output, objects) || building_fail(&b, "cannot write %s", output));
    building_free(&b);
    return good;
}

static bool is_program(const char *path) {
    object_symbols symbols = {0};
    bool callbacks = false, starts = false; /* by its main, or that of a library */
    if (!path_has_suffix(path, ".o") && !path_has_suffix(path, ".a") && !compile_is_source(path) &&
        objects_read(&symbols, path)) {
        for (uint32_t i = 0; i < symbols.items.count; i++) {
            const object_symbol *s = &vector_at(&symbols.items, i);
            callbacks = callbacks || (!s->defined && strcmp(s->name, "__tsan_init") == 0);
            starts = starts || (s->defined && (strcmp(s->name, "main") == 0 ||
                                               strcmp(s->name, "heddle_entry") == 0));
        }
    }
    objects_free(&symbols);
    return callbacks && starts;
}

bool native_find_program(const char *path, char *found) {
    const char *slash = strrchr(path, '/');
    int directory = slash ? (int)(slash + 1 - path) : 0;
    snprintf(found, NATIVE_PATH_SIZE, "%s", path);
    if (is_program(found)) {
        return true;
    }
    snprintf(found, NATIVE_PATH_SIZE, "%.*s.libs/%s", directory, path, path + directory);
    return is_program(found);
}

/* What `heddle cc` linked. */
static void take_program(native_program *program, const char *path) {
    char *absolute = realpath(path, NULL);
    snprintf(program->path, sizeof program->path, "%s", absolute ? absolute : path);
    free(absolute);
}

bool native_build_in(const settings *o, const char *directory, native_program *program,
                     char *message) {
    *program = (native_program){0};
    message[0] = '\0';
    char found[NATIVE_PATH_SIZE];
    if (o->files.count == 1 && native_find_program(vector_at(&o->files, 0), found)) {
        take_program(program, found);
        return true;
    }
    snprintf(program->path, sizeof program->path, "%.*s/program.so", NATIVE_PATH_SIZE - 16,
             directory);
    return build(o, directory, program->path, false, message);
}

bool native_build(const settings *o, native_program *program, char *message) {
    char directory[NATIVE_PATH_SIZE] = "";
    *program = (native_program){0};
    command_hold_interrupts();
    bool good =
        directory_create(directory, message) && native_build_in(o, directory, program, message);
    snprintf(program->directory, sizeof program->directory, "%s", directory);
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

bool native_link(const settings *o, bool shared, const char *output, char *message) {
    native_program program = {0};
    command_hold_interrupts();
    bool good = directory_create(program.directory, message) &&
                (shared ? build_shared(o, program.directory, output, message)
                        : build(o, program.directory, output, true, message));
    native_remove(&program);
    command_release_interrupts();
    return good;
}

void native_remove(native_program *program) {
    if (program->directory[0]) {
        directory_remove(program->directory);
        program->directory[0] = '\0';
    }
}
