/* heddle split: writes the work that is left to files that can be explored anywhere. */
#include <stdio.h>

#include "base/exit_status.h"
#include "cli/algorithm.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/job.h"

/* Pieces are distributed one by one: the more there are, the more even the parts. */
enum { PIECES_PER_PART = 16, PARTS_MOST = 10000 };

/* Why it cannot be split, or NULL. */
static const char *cannot_split(const checkpoint *c) {
    if (c->parts) {
        return "it is itself a part; split the file that it is a part of into more parts";
    }
    if (checkpoint_is_finished(c)) {
        return "nothing is left in it; heddle check --resume reports its results";
    }
    return vector_at(&c->stretches, 0)->whole
               ? "nothing is done yet; explore a little first (--max-executions=1000)"
               : NULL;
}

/* Cuts the work into pieces, by a process that has loaded the program. */
static bool cut(checkpoint *c, const settings *s, uint32_t parts, text *message) {
    const strategy_class *algorithm = algorithm_wanted(s, message);
    if (!algorithm) {
        return false;
    }
    job j = {.settings = s, .algorithm = algorithm, .resumed = c, .cut = parts * PIECES_PER_PART};
    job_run(&j);
    bool good = outcome_verdict(&j.outcome) == VERDICT_VERIFIED;
    if (!good) {
        text_append(message, text_string(&j.outcome.message));
    }
    job_free(&j);
    return good;
}

/* The first part gets what is done. Each piece keeps its place in the order of all. */
static bool write_part(checkpoint *c, uint32_t part, const char *path, text *message) {
    stretch_list mine = {0};
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < c->stretches.count; i++) {
        stretch *s = vector_at(&c->stretches, i);
        bool over = s->state == STRETCH_OVER;
        s->piece = i;
        if (over ? part == 1 : waiting % c->parts == part - 1) {
            vector_push(&mine, s);
        }
        waiting += !over;
    }
    c->part = part;
    bool written = checkpoint_write(c, &mine, path, message);
    vector_free(&mine);
    return written;
}

static bool write_parts(checkpoint *c, const char *path, text *message) {
    bool written = true;
    for (uint32_t part = 1; part <= c->parts && written; part++) {
        text name = {0};
        text_format(&name, "%s.%u", path, part);
        written = write_part(c, part, text_string(&name), message);
        text_free(&name);
    }
    return written;
}

/* What somebody has explored of it would be lost. */
static bool is_untouched(const char *name, text *message) {
    checkpoint old;
    text unreadable = {0};
    bool read = checkpoint_read(&old, name, &unreadable);
    bool untouched = read && old.parts && old.fresh;
    if (!untouched) {
        text_format(message,
                    "%s exists, and %s: remove it, or give --force to replace it; heddle merge "
                    "adds up what parts have found",
                    name,
                    !read                          ? "it is not known whether it was explored"
                    : checkpoint_is_finished(&old) ? "it is finished"
                                                   : "it was begun");
    }
    if (read) {
        checkpoint_free(&old);
    }
    text_free(&unreadable);
    return untouched;
}

/* Before anything is done: the files can be replaced, and nothing is lost with them. */
static bool may_write_parts(const char *path, uint32_t parts, bool force, text *message) {
    bool may = true;
    for (uint32_t part = 1; part <= parts && may; part++) {
        text name = {0};
        text_format(&name, "%s.%u", path, part);
        const char *of = text_string(&name);
        may = file_is_ordinary(of, message) &&
              file_may_replace(of, CHECKPOINT_BEGINNING, CHECKPOINT_KIND, message) &&
              (force || !file_exists(of) || is_untouched(of, message));
        text_free(&name);
    }
    return may;
}

static uint32_t count_pieces(const checkpoint *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->stretches.count; i++) {
        count += vector_at(&c->stretches, i)->state != STRETCH_OVER;
    }
    return count;
}

static void print_parts(const checkpoint *c, const char *path) {
    uint32_t pieces = count_pieces(c);
    printf("%u pieces of work in %s.1 to %s.%u\n", pieces, path, path, c->parts);
    if (pieces < c->parts) {
        printf("There are fewer pieces than parts: little is left.\n");
    }
    printf("Next: heddle check --resume=%s.N for each N from 1 to %u, then heddle merge %s.*\n",
           path, c->parts, path);
}

static bool is_usable(const settings *given, text *message) {
    bool usable = given->files.count == 1 && given->parts >= 2 && given->parts <= PARTS_MOST;
    if (!usable) {
        text_format(message,
                    "split: name one file that heddle check --checkpoint has written, and the "
                    "number of parts, 2 to %d: heddle split --parts=4 FILE",
                    PARTS_MOST);
    }
    return usable;
}

static bool split(const settings *given, checkpoint *c, settings *s, int *status, text *message) {
    settings bare = {.compiler = given->compiler};
    if (!is_usable(given, message) ||
        !checkpoint_open(c, s, &bare, vector_at(&given->files, 0), message)) {
        return false;
    }
    const char *path = vector_at(&given->files, 0), *reason;
    if ((reason = cannot_split(c))) {
        text_format(message, "%s cannot be split: %s", path, reason);
        return false;
    }
    uint64_t hash = file_hash(path);
    if (!may_write_parts(path, (uint32_t)given->parts, given->force, message) ||
        !cut(c, s, (uint32_t)given->parts, message)) {
        return false;
    }
    c->parts = (uint32_t)given->parts;
    c->split = hash;
    c->fresh = true;
    c->restarted = false;
    if (!write_parts(c, path, message)) {
        return false;
    }
    print_parts(c, path);
    *status = EXIT_VERIFIED;
    return true;
}

int command_split(const settings *given) {
    return checkpoint_command(given, split);
}
