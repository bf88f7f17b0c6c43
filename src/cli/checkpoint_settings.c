/* What a checkpoint belongs to, and whether that is what the user wants now. */
#include <string.h>

#include "cli/checkpoint.h"
#include "cli/compiler.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/report.h"
#include "targets/native/compile.h"

typedef VECTOR(char *) argument_list;

static bool list_has(const text_list *list, const char *word) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(text_string(&vector_at(list, i)), word) == 0) {
            return true;
        }
    }
    return false;
}

static bool words_have(const word_list *list, const char *word) {
    return text_find(word, (const char *const *)list->items, list->count) < list->count;
}

static bool same_arguments(const checkpoint *c, const settings *given) {
    bool same = c->arguments.count == given->arguments.count;
    for (uint32_t i = 0; i < c->arguments.count && same; i++) {
        same =
            strcmp(text_string(&vector_at(&c->arguments, i)), vector_at(&given->arguments, i)) == 0;
    }
    return same;
}

/* Options that are given must be those that it was made with; those need not be given, unless the
 * program is. */
static bool agrees(const checkpoint *c, const settings *given, const char *path, text *message) {
    bool names_program = given->files.count || given->program;
    for (uint32_t i = 0; i < given->words.count; i++) {
        const char *word = vector_at(&given->words, i);
        if (!list_has(&c->words, word) && strcmp(word, "--cc=" COMPILE_DEFAULT) != 0) {
            text_format(message,
                        "%s was made without %s: leave that out, or start a new exploration", path,
                        word);
            return false;
        }
    }
    for (uint32_t i = 0; i < c->words.count && names_program; i++) {
        const char *word = text_string(&vector_at(&c->words, i));
        if (!words_have(&given->words, word)) {
            text_format(message, "%s was made with %s: add that, or name no program at all", path,
                        word);
            return false;
        }
    }
    if ((names_program || given->arguments.count) && !same_arguments(c, given)) {
        text_format(message, "%s was made with other arguments of the program", path);
        return false;
    }
    return true;
}

/* The words of both as one command line. */
static void join(const checkpoint *c, const settings *given, argument_list *out) {
    for (uint32_t i = 0; i < c->words.count; i++) {
        vector_push(out, (char *)text_string(&vector_at(&c->words, i)));
    }
    vector_append(out, given->other_words.items, given->other_words.count);
    vector_push(out, "--");
    for (uint32_t i = 0; i < c->arguments.count; i++) {
        vector_push(out, (char *)text_string(&vector_at(&c->arguments, i)));
    }
    vector_push(out, NULL);
}

/* A file that is missing here may exist where the checkpoint was made. */
static bool finds_files(const checkpoint *c, const settings *s, text *message) {
    text missing = {0};
    bool found = true;
    for (uint32_t i = 0; i < s->files.count && found; i++) {
        found = file_check(vector_at(&s->files, i), &missing);
    }
    if (!found) {
        text_format(message, "%s (the checkpoint was made in %s: continue there)",
                    text_string(&missing), text_string(&c->directory));
    }
    text_free(&missing);
    return found;
}

/* As one command line. */
static bool parse(const checkpoint *c, const settings *given, const char *path, settings *out,
                  text *message) {
    argument_list words = {0};
    text wrong = {0};
    join(c, given, &words);
    bool good = options_parse(out, COMMAND_CHECK, (int)words.count - 1, words.items, &wrong);
    if (!good) {
        text_format(message, "%s: %s", path, text_string(&wrong));
    }
    vector_free(&words);
    text_free(&wrong);
    return good;
}

bool checkpoint_open(checkpoint *c, settings *s, const settings *given, const char *path,
                     text *message) {
    *s = (settings){0};
    return checkpoint_read(c, path, message) && agrees(c, given, path, message) &&
           parse(c, given, path, s, message) &&
           compiler_is_allowed(given, s, "checkpoint", message) && finds_files(c, s, message);
}

int checkpoint_command(const settings *given, checkpoint_use *use) {
    checkpoint c = {0};
    settings s = {0};
    text message = {0};
    int status;
    if (!use(given, &c, &s, &status, &message)) {
        status = report_failure(given, VERDICT_ERROR, text_string(&message));
    }
    checkpoint_free(&c);
    settings_free(&s);
    text_free(&message);
    return status;
}

/* ---- the program ---- */

uint64_t checkpoint_hash_program(const settings *s, const char *path) {
    return load_needs_build(s) ? file_hash(path)
           : s->program        ? bytes_checksum(s->program, strlen(s->program))
                               : file_hash(vector_at(&s->files, 0));
}

bool checkpoint_is_of(const checkpoint *c, uint64_t program, text *message) {
    if (c->program == program) {
        return true;
    }
    text_append(message,
                "the program is not the one that the checkpoint was made of: it, the compiler, a "
                "library or the directory has changed since; start a new exploration");
    return false;
}
