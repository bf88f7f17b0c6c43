#include <string.h>

#include "cli/commands.h"
#include "cli/compiler.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/replay_report.h"
#include "cli/report.h"
#include "report/writers/schedule.h"

/* Nothing can be shown. `missing`: the folder that should be there, or NULL. */
static int report_no_finding(const settings *s, outcome *o, const char *missing) {
    if (missing) {
        text message = {0};
        text_format(&message,
                    "%s (the schedule was made in %s, which is not there; run heddle replay where "
                    "its files are)",
                    text_string(&o->message), missing);
        outcome_fail(o, o->failure, text_string(&message));
        text_free(&message);
    }
    return report_outcome(s, o);
}

/* To where the schedule was made, if that is still there; otherwise the files may be here. */
static int replay(schedule *s) {
    const char *folder = s->settings.folder;
    bool moved = folder && !file_enter_folder(folder);
    job j = {.settings = &s->settings, .schedule = s};
    job_run(&j);
    int status = j.outcome.findings.count
                     ? replay_report(&s->settings, &j)
                     : report_no_finding(&s->settings, &j.outcome, moved ? folder : NULL);
    job_free(&j);
    return status;
}

static int follow(const settings *wanted, schedule *s) {
    text message = {0};
    replay_paths paths = {0};
    int status;
    s->settings.watchdog_ms = wanted->watchdog_ms;
    s->settings.time_limit_ms = wanted->time_limit_ms;
    s->settings.allow_files = wanted->allow_files;
    /* What is not in any schedule is looked for as the check did, in silence. */
    s->settings.echo = !s->error || strncmp(s->error, "uninitialised ", 14) != 0;
    replay_report_settings(&s->settings, wanted, &paths);
    if (compiler_is_allowed(wanted, &s->settings, "schedule", &message) &&
        report_check_files(&s->settings, &message)) {
        status = replay(s);
    } else {
        status = report_failure(wanted, VERDICT_ERROR, text_string(&message));
    }
    replay_paths_free(&paths);
    text_free(&message);
    return status;
}

int command_replay(const settings *s) {
    if (s->files.count != 1) {
        return report_failure(
            s, VERDICT_ERROR,
            "replay: name one schedule file (heddle check --schedule=FILE writes one)");
    }
    const char *path = vector_at(&s->files, 0);
    text contents = {0}, message = {0};
    if (!file_read(path, &contents, &message)) {
        int status = report_failure(s, VERDICT_ERROR, text_string(&message));
        text_free(&message);
        text_free(&contents);
        return status;
    }
    schedule read;
    schedule_fault fault;
    int status;
    if (schedule_read(&read, contents, &fault)) {
        status = follow(s, &read);
    } else {
        text_format(&message, "%s:%u: %s", path, fault.line, fault.message);
        status = report_failure(s, VERDICT_ERROR, text_string(&message));
        text_free(&message);
    }
    schedule_free(&read);
    return status;
}
