#include <string.h>

#include "base/exit_status.h"
#include "cli/commands.h"
#include "cli/compiler.h"
#include "cli/file.h"
#include "cli/gdb.h"
#include "cli/job.h"
#include "cli/replay.h"
#include "cli/replay_report.h"
#include "cli/report.h"
#include "report/writers/schedule.h"
#include "report/writers/writers.h"

/* Nothing can be shown. `missing`: the directory that is missing, or NULL. */
static int report_no_finding(const settings *s, outcome *o, const char *missing) {
    if (missing) {
        text message = {0};
        text_format(
            &message,
            "%s (the schedule was made in %s, which does not exist; run heddle replay where "
            "its files are)",
            text_string(&o->message), missing);
        outcome_fail(o, o->failure, text_string(&message));
        text_free(&message);
    }
    return report_outcome(s, o);
}

/* Changes to the directory where the schedule was made, if that still exists; otherwise the files
 * may be here. `contents` is the text of the schedule file. */
static int replay(const settings *wanted, schedule *s, const char *contents) {
    const char *directory = s->settings.directory;
    bool moved = directory && !file_enter_directory(directory);
    job j = {.settings = &s->settings, .schedule = s, .keep = wanted->gdb};
    job_run(&j);
    int status;
    if (!j.outcome.findings.count) {
        status = report_no_finding(&s->settings, &j.outcome, moved ? directory : NULL);
    } else if (wanted->gdb && !j.diverged) {
        status = gdb_run(wanted, &j, contents);
    } else {
        status = replay_report(&s->settings, &j);
    }
    job_free(&j);
    return status;
}

/* What is wrong with the settings, or NULL. */
static const char *wrong_usage(const settings *s) {
    if (s->files.count != 1) {
        return "replay: name one schedule file (heddle check --schedule=FILE writes one)";
    }
    if (s->gdb && (writers_find_printed(s) || writers_want_files(s))) {
        return "replay: --gdb writes no reports; leave out --html and similar options";
    }
    if (s->arguments.count && !s->gdb) {
        return "replay: arguments after -- are for gdb, with --gdb; those of the program are "
               "in the schedule";
    }
    return NULL;
}

static int follow(const settings *wanted, schedule *s, const char *contents) {
    text message = {0};
    text_list paths = {0};
    int status;
    replay_adopt(s, wanted);
    replay_report_settings(&s->settings, wanted, &paths);
    if (compiler_is_allowed(wanted, &s->settings, "schedule", &message) &&
        report_check_files(&s->settings, &message) &&
        (!wanted->gdb || gdb_is_possible(&s->settings, &message))) {
        status = replay(wanted, s, contents);
    } else {
        status = report_failure(wanted, VERDICT_ERROR, text_string(&message));
    }
    texts_free(&paths);
    text_free(&message);
    return status;
}

static int read_and_follow(const settings *wanted, const char *path, text *message) {
    text contents = {0}, lines = {0};
    schedule read;
    schedule_fault fault;
    int status = EXIT_USAGE;
    if (!file_read(path, &contents, message)) {
        text_free(&contents);
        return status;
    }
    text_append(&lines, text_string(&contents));
    if (schedule_read(&read, lines, &fault)) {
        status = follow(wanted, &read, text_string(&contents));
    } else {
        text_format(message, "%s:%u: %s", path, fault.line, fault.message);
    }
    schedule_free(&read);
    text_free(&contents);
    return status;
}

int command_replay(const settings *s) {
    text message = {0};
    int status = EXIT_USAGE;
    if (wrong_usage(s)) {
        text_append(&message, wrong_usage(s));
    } else {
        status = read_and_follow(s, vector_at(&s->files, 0), &message);
    }
    if (text_length(&message)) {
        report_failure(s, VERDICT_ERROR, text_string(&message));
    }
    text_free(&message);
    return status;
}
