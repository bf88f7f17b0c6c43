#include "base/exit_status.h"
#include "cli/algorithm.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/ranks.h"
#include "cli/report.h"
#include "report/writers/writers.h"

static int check_one(const settings *given, const strategy_class *algorithm, checkpoint *resumed) {
    settings s = *given;
    s.directory = file_directory();
    s.jobs = ranks_others() ? ranks_others() + 1 : s.jobs;
    return report_job(&(job){.settings = &s, .algorithm = algorithm, .resumed = resumed});
}

/* What is wrong with the settings, or NULL. */
static const char *wrong_usage(const settings *s) {
    uint32_t subjects = (s->program != NULL) + (s->batch != NULL) + (s->files.count != 0);
    if (subjects == 0) {
        return "check: name a file, or give --program or --batch (heddle check --help)";
    }
    if (all_ranks.count && (s->jobs || s->batch)) {
        return "check: heddle-mpi has one worker on each rank; leave out -j and --batch";
    }
    if (subjects > 1) {
        return "check: give only one of a file, --program and --batch";
    }
    if (!s->files.count && (s->arguments.count || s->flags.count || s->definitions.count)) {
        return "check: a one-line program takes no -D, no flags and no arguments";
    }
    if (s->batch && writers_want_files(s)) {
        return "check: --batch prints JSON on standard output and cannot be combined "
               "with options that write files, such as --schedule and --json=FILE";
    }
    return NULL;
}

/* Why no checkpoint is possible, or NULL. */
static const char *cannot_keep(const settings *s, const strategy_class *algorithm) {
    return s->batch                          ? "a batch has none"
           : s->allow_files                  ? "the program may change files"
           : s->first.policy == FIRST_RANDOM ? "--first=random makes its picks in order"
           : !algorithm->work                ? "the algorithm does not keep its work in files"
                                             : NULL;
}

static bool may_keep(const settings *s, const strategy_class *algorithm, text *message) {
    const char *reason = s->checkpoint ? cannot_keep(s, algorithm) : NULL;
    if (reason) {
        text_format(message, "check: no checkpoint can be written: %s", reason);
        if (!algorithm->work && algorithm_default()->work) {
            const char *which = s->model == MODEL_SC ? "the default" : "for sequential consistency";
            text_format(message, " (%s, %s, does)", algorithm_default()->name, which);
        }
        return false;
    }
    return !s->checkpoint ||
           (file_is_ordinary(s->checkpoint, message) &&
            file_may_replace(s->checkpoint, CHECKPOINT_BEGINNING, CHECKPOINT_KIND, message));
}

static int check(const settings *s, checkpoint *resumed) {
    text message = {0};
    const strategy_class *algorithm = NULL;
    if (wrong_usage(s)) {
        text_append(&message, wrong_usage(s));
    } else if (report_check_files(s, &message)) {
        algorithm = algorithm_wanted(s, &message);
    }
    int status = EXIT_USAGE;
    if (algorithm && may_keep(s, algorithm, &message)) {
        status = s->batch ? check_batch(s, algorithm) : check_one(s, algorithm, resumed);
    } else {
        report_failure(s, VERDICT_ERROR, text_string(&message));
    }
    text_free(&message);
    return status;
}

/* With the settings that the file was made with. */
static bool resume(const settings *given, checkpoint *c, settings *s, int *status, text *message) {
    if (!checkpoint_open(c, s, given, given->resume, message)) {
        return false;
    }
    s->checkpoint = s->checkpoint ? s->checkpoint : given->resume;
    *status = check(s, c);
    return true;
}

int command_check(const settings *s) {
    const char *kept = s->checkpoint ? s->checkpoint : s->resume;
    store_open(kept, s->memory_limit);
    int status = s->resume ? checkpoint_command(s, resume) : check(s, NULL);
    store_close();
    return status;
}
