/* heddle merge: combines the results of all parts of an exploration into its verdict. */
#include "cli/algorithm.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/parts.h"
#include "cli/report.h"

static bool read_parts(const settings *given, part_list *parts, text *message) {
    if (!given->files.count) {
        text_append(message, "merge: name the files that heddle split has written");
        return false;
    }
    for (uint32_t i = 0; i < given->files.count; i++) {
        part p = {.path = vector_at(&given->files, i)};
        if (!checkpoint_read(&p.checkpoint, p.path, message)) {
            return false;
        }
        vector_push(parts, p);
    }
    return parts_belong_together(parts, message);
}

/* A process that has loaded the program makes the report. */
static int report(const settings *wanted, checkpoint *all, text *message) {
    settings s = *wanted;
    const strategy_class *algorithm = algorithm_wanted(&s, message);
    s.directory = file_directory();
    if (!algorithm || !report_check_files(&s, message)) {
        return report_failure(&s, VERDICT_ERROR, text_string(message));
    }
    return report_job(&(job){.settings = &s, .algorithm = algorithm, .resumed = all});
}

static bool merge(const settings *given, checkpoint *all, settings *s, int *status, text *message) {
    settings bare = {.compiler = given->compiler, .other_words = given->other_words};
    part_list parts = {0};
    bool good = read_parts(given, &parts, message) &&
                checkpoint_open(all, s, &bare, vector_at(&given->files, 0), message);
    if (good) {
        for (uint32_t i = 0; i < all->stretches.count; i++) {
            stretch_free(vector_at(&all->stretches, i));
        }
        vector_clear(&all->stretches);
        parts_merge(&parts, all);
        *status = report(s, all, message);
    }
    parts_free(&parts);
    return good;
}

int command_merge(const settings *given) {
    return checkpoint_command(given, merge);
}
