#include "cli/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/file.h"
#include "cli/load.h"
#include "cli/message.h"
#include "report/explanation.h"
#include "report/writers/paragraph.h"
#include "report/writers/source.h"
#include "report/writers/text_report.h"
#include "report/writers/writers.h"

/* ---- text ---- */

static void print_explanation(const finding *f, const style *style) {
    const explanation *e = explanation_of(f->kind);
    printf("  What it means (%s):\n", error_word(f->kind));
    paragraph_print(e->meaning, 4, style->width, stdout);
    fputs("  What usually fixes it:\n", stdout);
    paragraph_print(e->remedy, 4, style->width, stdout);
}

static void print_findings(const settings *s, const outcome *o, const style *style) {
    source source = {0};
    uint32_t shown = o->findings.count;
    if (shown > REPORT_MOST_TABLES && !s->full) {
        shown = REPORT_MOST_TABLES;
    }
    for (uint32_t i = 0; i < shown; i++) {
        if (s->quiet) {
            text_report_headline(&vector_at(&o->findings, i), style, stdout);
            continue;
        }
        text_report_finding(&vector_at(&o->findings, i), &source, style, stdout);
        if (s->verbose) {
            print_explanation(&vector_at(&o->findings, i), style);
        }
        fputc('\n', stdout);
    }
    if (shown < o->bugs) {
        printf("%u more errors are not shown; --full shows them all.\n\n", o->bugs - shown);
    }
    source_free(&source);
}

static void print_meaning(const outcome *o, FILE *out) {
    fprintf(out, "What it means and what usually fixes it: heddle explain %s\n",
            error_word(vector_at(&o->findings, 0).kind));
}

static void print_schedule_hint(const settings *s, bool has_schedule, FILE *out) {
    if (has_schedule) {
        fprintf(out, "To see it again: heddle replay %s\n", s->schedule);
        if (load_needs_build(s)) {
            fprintf(out, "To debug it: heddle replay --gdb %s\n", s->schedule);
        }
    } else {
        fputs("To keep the schedule: --schedule=FILE, then heddle replay FILE\n", out);
    }
}

/* What can be done with an error, or to cover more. */
static void print_hints(const settings *s, const outcome *o, bool has_schedule) {
    bool stopped = o->end == EXPLORATION_LIMIT || o->end == EXPLORATION_INTERRUPTED;
    if (!o->findings.count) {
        if (stopped && !s->checkpoint && !s->resume && s->random.method == SAMPLING_OFF &&
            !s->preemptions.given) {
            puts(
                "To cover the rest: fewer threads or iterations in the program, or more time (-j "
                "N; --checkpoint=FILE to continue later)");
        }
        return;
    }
    if (!s->verbose) {
        print_meaning(o, stdout);
    }
    if (!s->html) {
        printf("To step through it in a browser: --html=FILE\n");
    }
    print_schedule_hint(s, has_schedule, stdout);
}

static void print_text(const settings *s, const outcome *o, bool has_schedule) {
    style style = style_for(s, stdout);
    print_findings(s, o, &style);
    if (s->quiet) {
        return;
    }
    text_report_summary(o, &style, stdout);
    if (s->verbose) {
        printf("Build: %.2f s; peak memory: %.1f MiB\n", o->build_seconds,
               (double)o->peak_bytes / (1 << 20));
    }
    print_hints(s, o, has_schedule);
}

/* ---- files ---- */

bool report_check_files(const settings *s, text *message) {
    bool may = true;
    for (uint32_t i = 0; i < writer_count && may; i++) {
        const char *path = writer_path(&writers[i], s);
        may = !path || file_may_replace(path, writers[i].beginning, writers[i].kind, message);
    }
    return may;
}

static bool write_file(const writer *w, const settings *s, const outcome *o, text *message) {
    const char *path = writer_path(w, s);
    if (!path || (w->write && !o->findings.count)) {
        return true;
    }
    text contents = {0};
    if (w->write) {
        w->write(&contents, s, &vector_at(&o->findings, 0));
    } else {
        w->report(&contents, s, o);
    }
    bool written = file_write(path, text_string(&contents), message);
    text_free(&contents);
    return written;
}

static bool write_files(const settings *s, const outcome *o, text *message) {
    bool written = true;
    for (uint32_t i = 0; i < writer_count && written; i++) {
        written = write_file(&writers[i], s, o, message);
    }
    return written;
}

/* Prints the report that was requested instead of the text, if any. */
static void print_report(const settings *s, const outcome *o) {
    const writer *w = writers_find_printed(s);
    if (w) {
        text contents = {0};
        w->report(&contents, s, o);
        fputs(text_string(&contents), stdout);
        text_free(&contents);
    }
}

bool report_write(const settings *s, const outcome *o, text *message) {
    bool written = write_files(s, o, message);
    print_report(s, o);
    return written;
}

int report_failure(const settings *s, enum verdict verdict, const char *message) {
    outcome o = {0};
    text unwritable = {0};
    outcome_fail(&o, verdict, message);
    usage_error("%s", message);
    if (report_check_files(s, &unwritable)) {
        report_write(s, &o, &unwritable);
    } else { /* a file that cannot be written does not affect the output */
        print_report(s, &o);
    }
    outcome_free(&o);
    text_free(&unwritable);
    return verdict_status(verdict);
}

/* The steps that lead to it, and in one sentence why there is no verdict. */
static void print_unsupported(const settings *s, const outcome *o, bool has_schedule) {
    bool shown = o->findings.count && !writers_find_printed(s) && !s->quiet;
    if (shown) {
        style style = style_for(s, stdout);
        print_findings(s, o, &style);
        fflush(stdout);
    }
    usage_error("%s", text_string(&o->message));
    if (!writers_find_printed(s) && !s->quiet) {
        style style = style_for(s, stderr);
        text_report_warnings(o, &style, stderr);
    }
    if (shown && !s->verbose) {
        print_meaning(o, stderr);
    }
    if (shown && vector_at(&o->findings, 0).bare) {
        print_schedule_hint(s, has_schedule, stderr);
    }
}

int report_outcome(const settings *s, const outcome *o) {
    text message = {0};
    enum verdict verdict = outcome_verdict(o);
    bool done = write_files(s, o, &message);
    if (text_length(&o->message) && verdict != VERDICT_BUG) {
        print_unsupported(s, o, done && s->schedule);
    } else if (!writers_find_printed(s)) {
        print_text(s, o, done && s->schedule && o->findings.count);
    }
    print_report(s, o);
    int status = done ? verdict_status(verdict) : usage_error("%s", text_string(&message));
    text_free(&message);
    return status;
}

int report_job(job *j) {
    job_run(j);
    int status = report_outcome(j->settings, &j->outcome);
    job_free(j);
    return status;
}
