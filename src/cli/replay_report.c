#include "cli/replay_report.h"

#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "cli/file.h"
#include "cli/message.h"
#include "cli/replay.h"
#include "cli/report.h"
#include "report/writers/source.h"
#include "report/writers/style.h"
#include "report/writers/text_report.h"
#include "report/writers/writers.h"

/* ---- where to ---- */

static const char *absolute(const char *path, text_list *paths) {
    const char *directory = file_directory();
    if (!path || path[0] == '/' || strcmp(path, "-") == 0 || !directory) {
        return path;
    }
    text whole = {0};
    text_format(&whole, "%s/%s", directory, path);
    vector_push(paths, whole);
    return text_string(&vector_last(paths));
}

void replay_report_settings(settings *s, const settings *wanted, text_list *paths) {
    for (uint32_t i = 0; i < writer_count; i++) {
        writer_set_path(&writers[i], s, absolute(writer_path(&writers[i], wanted), paths));
    }
    s->json.given |= writers_find_printed(wanted) != NULL;
    s->color = wanted->color;
    s->full = wanted->full;
}

/* ---- what ---- */

/* The step after those that the finding has ended the process. */
static bool replay_has_died(const job *j) {
    return !j->diverged && text_length(&j->outcome.message);
}

static void print_text(const settings *s, const job *j) {
    const finding *f = &vector_at(&j->outcome.findings, 0);
    style style = style_for(s, stdout);
    source source = {0};
    const char *plural = f->steps.count == 1 ? "" : "s";
    text_report_finding(f, &source, &style, stdout);
    if (replay_has_died(j)) {
        printf("Replayed %u step%s as recorded; the last one ended the process.\n", f->steps.count,
               plural);
    } else if (!j->diverged) {
        printf("Replayed %u step%s as recorded.\n", f->steps.count, plural);
    }
    if (!j->diverged && f->end == FINDING_NOTHING && replay_ended_others(j->schedule)) {
        printf(
            "They did not end this process: what ended the others may not be the program, "
            "but the system or a user.\n");
    }
    fflush(stdout);
    source_free(&source);
}

/* The finding as the outcome of a check of one execution. */
static void complete_outcome(job *j) {
    outcome *o = &j->outcome;
    finding *f = &vector_at(&o->findings, 0);
    bool error = f->end != FINDING_NOTHING;
    text_append(&o->algorithm, "replay");
    o->counters.executions = 1;
    o->counters.events = f->steps.count;
    o->bugs = !j->diverged && error && finding_is_bug(f);
    if (!error) {
        finding_free(f);
        o->findings.count = 0;
    }
    if (!error && !j->diverged) {
        outcome_fail(o, VERDICT_INCOMPLETE,
                     "one schedule was replayed, without an error; no other was explored");
    }
}

static int choose_status(const job *j) {
    const finding *f = &vector_at(&j->outcome.findings, 0);
    return j->diverged                 ? EXIT_USAGE
           : replay_has_died(j)        ? verdict_status(j->outcome.failure)
           : f->end == FINDING_NOTHING ? EXIT_VERIFIED
                                       : EXIT_BUG;
}

int replay_report(const settings *s, job *j) {
    int status = choose_status(j);
    if (!writers_find_printed(s)) {
        print_text(s, j);
    }
    bool died = replay_has_died(j);
    complete_outcome(j);
    if (j->diverged || died) {
        usage_error("%s", text_string(&j->outcome.message));
    }
    text message = {0};
    if (!report_write(s, &j->outcome, &message)) {
        status = usage_error("%s", text_string(&message));
    }
    text_free(&message);
    return status;
}
