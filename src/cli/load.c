#include "cli/load.h"

#include <string.h>

#include "base/path.h"
#include "cli/file.h"
#include "cli/native.h"
#include "core/footprint.h"
#include "targets/abstract/interpreter.h"
#include "targets/abstract/language.h"
#include "targets/abstract/oneline.h"
#include "targets/native/directory.h"
#include "targets/native/native.h"

static void run_abstract(loaded *l) {
    l->has_program = true;
    l->target = interpreter_create(&l->program);
}

static bool parse_failed(const parse_error *error, const char *file, text *message) {
    text_append(message, file);
    if (error->line) {
        text_format(message, ":%u:%u", error->line, error->column);
    }
    text_format(message, ": %s", error->message);
    return false;
}

static bool load_line(loaded *l, const settings *s, text *message) {
    parse_error error = {0};
    if (!oneline_parse(&l->program, s->program, &error)) {
        error.line = s->origin ? s->origin_line : error.line;
        return parse_failed(&error, s->origin ? s->origin : "program", message);
    }
    run_abstract(l);
    return true;
}

typedef VECTOR(definition) definition_list;

static bool parse_definitions(const settings *s, definition_list *definitions, text *message) {
    for (uint32_t i = 0; i < s->definitions.count; i++) {
        definition d;
        if (!definition_parse(&d, vector_at(&s->definitions, i))) {
            text_format(message, "-D%s: expected NAME=NUMBER", vector_at(&s->definitions, i));
            return false;
        }
        vector_push(definitions, d);
    }
    return true;
}

static bool read_contents(const settings *s, text *contents, text *message) {
    if (s->contents) {
        text_append(contents, s->contents);
        return true;
    }
    return file_read(vector_at(&s->files, 0), contents, message);
}

static bool load_file(loaded *l, const settings *s, text *message) {
    const char *file = vector_at(&s->files, 0);
    parse_error error = {0};
    text contents = {0};
    definition_list definitions = {0};
    bool done = parse_definitions(s, &definitions, message) &&
                read_contents(s, &contents, message) &&
                (language_parse(&l->program, file, text_string(&contents), definitions.items,
                                definitions.count, &error) ||
                 parse_failed(&error, file, message));
    if (done) {
        run_abstract(l);
    }
    vector_free(&definitions);
    text_free(&contents);
    return done;
}

static bool is_abstract(const settings *s) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (path_has_suffix(vector_at(&s->files, i), ".heddle")) {
            return true;
        }
    }
    return false;
}

bool load_needs_build(const settings *s) {
    return !s->program && !is_abstract(s);
}

static bool check_files(const settings *s, text *message) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (!file_check(vector_at(&s->files, i), message)) {
            return false;
        }
    }
    return true;
}

bool load_build(const settings *s, const char *directory, char *path, text *message) {
    return check_files(s, message) && native_prepare(s, directory, path, message);
}

bool load(loaded *l, const settings *s, const char *path, text *message) {
    *l = (loaded){.model = s->model};
    footprint_table_clear();
    if (s->argument && !s->function) {
        text_append(message, "--argument is for the function that --function names");
        return false;
    }
    if (s->function && !load_needs_build(s)) {
        text_append(message, "--function: an abstract program has no functions");
        return false;
    }
    if (s->program) {
        return load_line(l, s, message);
    }
    if (load_needs_build(s)) {
        return native_load(l, s, path, message);
    }
    if (s->arguments.count || s->flags.count) {
        text_append(message, "an abstract program takes no arguments and no flags of a compiler");
        return false;
    }
    if (s->files.count > 1) {
        text_append(message, "a .heddle file is checked alone: name one file only");
        return false;
    }
    return (s->contents || check_files(s, message)) && load_file(l, s, message);
}

bool load_here(loaded *l, const settings *s, text *message) {
    char directory[NATIVE_PATH_SIZE] = "", path[NATIVE_PATH_SIZE], reason[NATIVE_MESSAGE_SIZE];
    *l = (loaded){0};
    if (!load_needs_build(s)) {
        return load(l, s, NULL, message);
    }
    if (!directory_create(directory, reason)) {
        text_append(message, reason);
        return false;
    }
    bool done = load_build(s, directory, path, message) && load(l, s, path, message);
    directory_remove(directory);
    return done;
}

void loaded_free(loaded *l) {
    if (l->target) {
        l->target->class->destroy(l->target);
    }
    if (l->has_program) {
        program_free(&l->program);
    }
}

bool loaded_expect_thread(loaded *l, uint32_t number, const char *name) {
    if (l->native) {
        return native_expect_thread(name);
    }
    return number < l->target->class->thread_count(l->target);
}

bool loaded_expect_shared(loaded *l, const char *text) {
    return l->native ? native_expect_shared(text) : interpreter_expect_shared(l->target, text);
}

void loaded_cautions(loaded *l, void (*warn)(void *, const char *), void *context) {
    if (l->native) {
        native_cautions(l->target, warn, context);
    }
}

void loaded_inputs(const loaded *l, void (*note)(void *, const char *), void *context) {
    if (l->native) {
        native_inputs(note, context);
    }
}

void loaded_uncovered(loaded *l, void (*warn)(void *, const char *), void *context) {
    if (l->native) {
        native_uncovered(l->target, warn, context);
    }
}
