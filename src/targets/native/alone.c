#include "targets/native/alone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/native/command.h"
#include "targets/native/compile.h"
#include "targets/native/directory.h"
#include "targets/native/link_flags.h"
#include "targets/native/openmp/openmp.h"

/* As the user named them: linked objects are not changed. Libraries that flags name come with the
 * flags. */
static void add_objects(const building *b, command *c) {
    for (uint32_t i = 0; i < b->objects.count; i++) {
        const program_object *o = vector_at(&b->objects, i);
        if (!o->by_flag) {
            building_add_object(c, o, o->given ? o->input : o->path);
        }
    }
}

/* The directory of a program that is started from a copy: that of what heddle links. */
static char *directory_of(const char *output) {
    char *path = strdup(output), *slash = path ? strrchr(path, '/') : NULL;
    if (slash) {
        slash[slash == path] = '\0';
    }
    char *directory = path ? realpath(slash ? path : ".", NULL) : NULL;
    free(path);
    return directory;
}

static bool write_flags(building *b, const char *output, char *path) {
    snprintf(path, NATIVE_PATH_SIZE, "%.*s/alone-flags", NATIVE_PATH_SIZE - 16, b->directory);
    FILE *file = fopen(path, "w");
    if (file) {
        char *origin = directory_of(output);
        link_flags_write_all(b->settings, origin ? origin : ".", file);
        free(origin);
    }
    return (file && fclose(file) == 0) ||
           building_fail(b, "cannot write to %s: %s", b->directory, strerror(errno));
}

/* Whose $ORIGIN is that of `place`. */
static bool link_with(building *b, const char *kind, const char *output, const char *place,
                      bool silent) {
    char library[NATIVE_PATH_SIZE], flags[NATIVE_PATH_SIZE + 1] = "@";
    if (!write_flags(b, place, flags + 1)) {
        return false;
    }
    command c = {0};
    const char *words[] = {
        compile_command(b->settings->compiler), kind, "-pthread", "-o", output, NULL};
    command_add(&c, words);
    add_objects(b, &c);
    vector_push(&c, flags);
    if (openmp_is_used(&b->symbols)) {
        vector_push(&c, "-fopenmp");
    }
    if (directory_find_library("libheddle-alone.a", library)) {
        vector_push(&c, library);
    }
    command_add_mathematics(&c);
    bool good = silent ? command_try(&c) : command_run(&c);
    vector_free(&c);
    return good;
}

bool alone_link_program(building *b, const char *output, char *path) {
    snprintf(path, NATIVE_PATH_SIZE, "%.*s/alone", NATIVE_PATH_SIZE - 16, b->directory);
    if (!link_with(b, "-no-pie", path, output, true)) {
        path[0] = '\0';
    }
    return true;
}

static bool join_objects(building *b, char *objects) {
    snprintf(objects, NATIVE_PATH_SIZE, "%.*s/objects.o", NATIVE_PATH_SIZE - 16, b->directory);
    command c = {0};
    const char *words[] = {compile_command(b->settings->compiler),
                           "-r",
                           "-nostdlib",
                           "-Wl,-z,muldefs", /* of other shared libraries; else linking failed */
                           "-o",
                           objects,
                           NULL};
    command_add(&c, words);
    vector_push(&c, "-Wl,--start-group");
    for (uint32_t i = 0; i < b->objects.count; i++) {
        building_add_object(&c, vector_at(&b->objects, i), vector_at(&b->objects, i)->path);
    }
    vector_push(&c, "-Wl,--end-group");
    const char *localize[] = {"objcopy", "--localize-hidden", objects, NULL};
    bool good = command_run(&c) && command_run_words(localize);
    vector_free(&c);
    return good;
}

bool alone_link_shared(building *b, const char *output, char *objects) {
    return (link_with(b, "-shared", output, output, false) && join_objects(b, objects)) ||
           building_fail(b, "the shared library does not link");
}
