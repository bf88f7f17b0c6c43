#include "cli/remote_work.h"

#include <stdio.h>
#include <string.h>

#include "cli/algorithm.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/options.h"

/* ---- to bytes ---- */

static void put_membership(bytes *out, const membership *m) {
    bytes_put_number(out, m->active);
    bytes_put_number(out, m->empty);
    bytes_put_number(out, m->careful);
    bytes_put_number(out, m->eager);
    bytes_put_number(out, m->keeps);
    bytes_put_number(out, m->resumed);
    bytes_put_number(out, m->executions);
}

/* The command line that gives the same settings. */
static void put_words(bytes *out, const settings *s) {
    text_list words = {0};
    for (uint32_t i = 0; i < s->words.count; i++) {
        texts_add(&words, vector_at(&s->words, i));
    }
    for (uint32_t i = 0; i < s->other_words.count; i++) {
        texts_add(&words, vector_at(&s->other_words, i));
    }
    texts_add(&words, "--");
    for (uint32_t i = 0; i < s->arguments.count; i++) {
        texts_add(&words, vector_at(&s->arguments, i));
    }
    texts_put(out, &words);
    texts_free(&words);
}

/* What was built, or the text of an abstract program. */
static bool put_program(bytes *out, const assignment *a) {
    const settings *s = a->job->settings;
    bytes file = {0};
    text ignored = {0};
    bool good =
        s->program ||
        file_read_bytes(load_needs_build(s) ? a->path : vector_at(&s->files, 0), &file, &ignored);
    bytes_put_block(out, &file);
    bytes_free(&file);
    text_free(&ignored);
    return good;
}

bool remote_work_encode(const assignment *a, bytes *out) {
    const settings *s = a->job->settings;
    bytes_put_number(out, file_hash("/proc/self/exe"));
    bytes_put_number(out, a->settings_checksum);
    bytes_put_number(out, a->workers);
    bytes_put_number(out, s->jobs);
    text_put_raw(out, s->directory ? s->directory : "");
    put_words(out, s);
    put_membership(out, &a->membership);
    return put_program(out, a);
}

/* ---- from bytes ---- */

static void take_membership(byte_reader *r, membership *m) {
    m->active = bytes_take_flag(r);
    m->empty = bytes_take_flag(r);
    m->careful = bytes_take_flag(r);
    m->eager = bytes_take_flag(r);
    m->keeps = bytes_take_flag(r);
    m->resumed = bytes_take_flag(r);
    m->executions = bytes_take_number(r, UINT64_MAX);
}

static bool parse(remote_work *w, text *message) {
    VECTOR(char *) words = {0};
    for (uint32_t i = 0; i < w->words.count; i++) {
        vector_push(&words, (char *)text_string(&vector_at(&w->words, i)));
    }
    vector_push(&words, NULL);
    bool good =
        options_parse(&w->settings, COMMAND_CHECK, (int)words.count - 1, words.items, message);
    vector_free(&words);
    return good;
}

static bool take_program(remote_work *w, byte_reader *r, const char *directory, text *message) {
    byte_reader program = bytes_take_block(r);
    size_t size = (size_t)(program.end - program.at);
    if (r->failed || w->settings.program) {
        return true;
    }
    if (load_needs_build(&w->settings)) {
        snprintf(w->assignment.path, NATIVE_PATH_SIZE, "%s/program.so", directory);
        return file_replace(w->assignment.path, program.at, size, message);
    }
    text_append_bytes(&w->contents, (const char *)program.at, (uint32_t)size);
    w->settings.contents = text_string(&w->contents);
    return true;
}

static bool is_same_heddle(byte_reader *r, text *message) {
    bool same = bytes_take_number(r, UINT64_MAX) == file_hash("/proc/self/exe");
    if (!same) {
        text_append(
            message,
            "another build of heddle is installed there, which cannot do the work of this one");
    }
    return same;
}

bool remote_work_decode(remote_work *w, byte_reader *r, const char *directory, text *message) {
    *w = (remote_work){0};
    assignment *a = &w->assignment;
    if (!is_same_heddle(r, message)) {
        return false;
    }
    a->settings_checksum = bytes_take_number(r, UINT64_MAX);
    a->workers = (uint32_t)bytes_take_number(r, UINT32_MAX);
    uint64_t jobs = bytes_take_number(r, UINT64_MAX);
    text_take_raw(r, &w->directory);
    texts_take(r, &w->words);
    take_membership(r, &a->membership);
    if (r->failed || !parse(w, message) || !take_program(w, r, directory, message)) {
        return false;
    }
    w->settings.jobs = jobs;
    w->settings.directory = text_string(&w->directory);
    w->job = (job){.settings = &w->settings, .algorithm = algorithm_wanted(&w->settings, message)};
    a->job = &w->job;
    a->own_checksum = settings_checksum(&w->settings);
    return w->job.algorithm && bytes_finished(r);
}

void remote_work_free(remote_work *w) {
    texts_free(&w->words);
    text_free(&w->directory);
    text_free(&w->contents);
    settings_free(&w->settings);
    *w = (remote_work){0};
}
