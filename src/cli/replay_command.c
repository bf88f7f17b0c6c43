#include <string.h>

#include "base/exit_status.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/message.h"
#include "report/writers/schedule.h"
#include "report/writers/source.h"
#include "report/writers/style.h"
#include "report/writers/text_report.h"
#include "targets/native/compile.h"

static int report_replay(const settings *s, const job *j) {
    const finding *f = &vector_at(&j->outcome.findings, 0);
    style style = style_for(s, stdout);
    source source = {0};
    text_report_finding(f, &source, &style, stdout);
    fflush(stdout);
    source_free(&source);
    if (j->diverged) {
        return usage_error("%s", text_string(&j->outcome.message));
    }
    printf("Replayed %u steps as recorded.\n", f->steps.count);
    return f->end == FINDING_NOTHING ? EXIT_VERIFIED : EXIT_BUG;
}

/* Flags by which a compiler or linker loads or runs something else, or that may hide such. */
static bool runs_others(const char *flag) {
    static const char *const beginnings[] = {"-fplugin", "-wrapper", "-specs", "--specs", "-B",
                                             "-Wl,",     "-Wa,",     "-Wp,",   "-X",      "@"};
    for (uint32_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(flag, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return flag[0] != '-';
}

/* A command that a file names is run only if the user names it too. */
static bool allows_compiler(const settings *wanted, const settings *recorded, text *message) {
    const char *compiler = recorded->compiler ? recorded->compiler : COMPILE_DEFAULT;
    if (wanted->compiler && strcmp(wanted->compiler, compiler) == 0) {
        return true;
    }
    if (strcmp(compiler, COMPILE_DEFAULT) != 0) {
        text_format(message,
                    "the schedule was made with another compiler; to run it, repeat: --cc='%s'",
                    compiler);
        return false;
    }
    for (uint32_t i = 0; i < recorded->flags.count; i++) {
        if (runs_others(vector_at(&recorded->flags, i))) {
            text_format(message,
                        "the schedule passes %s to the compiler, which may run other commands; to "
                        "allow that: --cc=%s",
                        vector_at(&recorded->flags, i), compiler);
            return false;
        }
    }
    return true;
}

/* To where the schedule was made, if that is still there; otherwise the files may be here. */
static int follow(const settings *wanted, schedule *s) {
    text message = {0};
    if (!allows_compiler(wanted, &s->settings, &message)) {
        int status = usage_error("%s", text_string(&message));
        text_free(&message);
        return status;
    }
    s->settings.watchdog_ms = wanted->watchdog_ms;
    s->settings.time_limit_ms = wanted->time_limit_ms;
    s->settings.allow_files = wanted->allow_files;
    /* What is not in any schedule is looked for as the check did, in silence. */
    s->settings.echo = !s->error || strncmp(s->error, "uninitialised ", 14) != 0;
    const char *folder = s->settings.folder;
    bool moved = folder && !file_enter_folder(folder);
    job j = {.settings = &s->settings, .schedule = s};
    job_run(&j);
    int status = verdict_status(outcome_verdict(&j.outcome));
    if (j.outcome.findings.count) {
        status = report_replay(wanted, &j);
    } else if (moved) {
        usage_error(
            "%s (the schedule was made in %s, which is not there; run heddle replay where its "
            "files are)",
            text_string(&j.outcome.message), folder);
    } else {
        usage_error("%s", text_string(&j.outcome.message));
    }
    job_free(&j);
    return status;
}

int command_replay(const settings *s) {
    if (s->files.count != 1) {
        return usage_error(
            "replay: name one schedule file (heddle check --schedule=FILE writes one)");
    }
    const char *path = vector_at(&s->files, 0);
    text contents = {0}, message = {0};
    if (!file_read(path, &contents, &message)) {
        int status = usage_error("%s", text_string(&message));
        text_free(&message);
        text_free(&contents);
        return status;
    }
    schedule read;
    schedule_fault fault;
    int status = schedule_read(&read, contents, &fault)
                     ? follow(s, &read)
                     : usage_error("%s:%u: %s", path, fault.line, fault.message);
    schedule_free(&read);
    return status;
}
