#include "report/writers/text_report.h"

#include "report/reason.h"
#include "report/rough.h"
#include "report/writers/cell.h"
#include "report/writers/paragraph.h"
#include "report/writers/table.h"

#define LEAST_SECONDS 0.1 /* shortest exploration whose rate is meaningful */

/* The line of the assertion itself; the table has the step before it. */
static void print_failing_line(const finding *f, source *source, const style *style, FILE *out) {
    uint32_t line;
    text code = {0}, shown = {0};
    if (f->end == FINDING_ERROR) {
        uint32_t at = source_at(source, f, f->place, &line, &code);
        cell_cut_around(text_string(&code), at, style->width - 4, &shown);
    }
    if (text_length(&shown)) {
        fprintf(out, "    %s\n", text_string(&shown));
    }
    text_free(&code);
    text_free(&shown);
}

void text_report_headline(const finding *f, const style *style, FILE *out) {
    text place = {0}, message = {0};
    finding_describe_position(f, f->place, &place);
    text_append(&place, text_length(&place) ? ": " : "");
    if (f->end == FINDING_ERROR || f->bare) {
        finding_headline(f, &message);
    } else {
        text_format(&message,
                    f->kind == ERROR_LIVELOCK ? "livelock: %u thread%s spinning forever"
                                              : "deadlock: %u thread%s blocked forever",
                    f->waits.count, f->waits.count == 1 ? " is" : "s are");
    }
    style_begin(style, EMPHASIS_STRONG, out);
    fputs(text_string(&place), out);
    style_end(style, EMPHASIS_STRONG, out);
    style_begin(style, EMPHASIS_ERROR, out);
    fputs(finding_is_bug(f) ? "error: " : "warning: ", out);
    style_end(style, EMPHASIS_ERROR, out);
    style_begin(style, EMPHASIS_STRONG, out);
    fprintf(out, "%s [%s]", text_string(&message), error_word(f->kind));
    style_end(style, EMPHASIS_STRONG, out);
    fputc('\n', out);
    text_free(&place);
    text_free(&message);
}

static void print_reasons(const finding *f, const style *style, FILE *out) {
    text line = {0};
    for (uint32_t i = 0; reason_sentence(f, i, &line); i++) {
        paragraph_hanging(text_string(&line), 2, style->width, out);
        text_clear(&line);
    }
    text_free(&line);
}

void text_report_finding(const finding *f, source *source, const style *style, FILE *out) {
    if (f->end != FINDING_NOTHING) {
        text_report_headline(f, style, out);
        print_failing_line(f, source, style, out);
    }
    if (f->bare) {
        fprintf(out, "  (after %u steps, which heddle replay shows)\n", f->steps.count);
    } else if (f->steps.count) {
        table_print(f, source, style, out);
    } else if (f->kind == ERROR_UNINITIALISED) {
        fputs("  (seen in runs that differ only in the contents of memory from malloc)\n", out);
    } else {
        fputs("  (before the first step)\n", out);
    }
    print_reasons(f, style, out);
    if (f->count > 1) {
        fprintf(out, "  (occurred %llu times; the first is shown)\n", (unsigned long long)f->count);
    }
}

static void print_sentence(const char *label, const char *words, const style *style, FILE *out) {
    text line = {0};
    text_format(&line, "%s%s", label, words);
    if (style->wraps) {
        paragraph_hanging(text_string(&line), 0, style->width, out);
    } else {
        fprintf(out, "%s\n", text_string(&line));
    }
    text_free(&line);
}

static void print_verdict(const outcome *o, const style *style, FILE *out) {
    enum verdict verdict = outcome_verdict(o);
    const char *shortfall = outcome_shortfall(o);
    uint32_t errors = o->bugs;
    bool good = verdict == VERDICT_VERIFIED || verdict == VERDICT_PART;
    enum emphasis emphasis = good ? EMPHASIS_GOOD : EMPHASIS_ERROR;
    style_begin(style, emphasis, out);
    if (verdict == VERDICT_BUG) {
        fprintf(out, "%u error%s detected", errors, errors == 1 ? " was" : "s were");
        fputs(o->end == EXPLORATION_STOPPED ? " (stopped at the first error; -k continues)." : ".",
              out);
    } else {
        fputs("No errors were detected", out);
        if (o->parts) {
            fprintf(out, " in part %u of %u (heddle merge gives the verdict)", o->part, o->parts);
        }
        fputs(shortfall ? ", but not everything was covered." : ".", out);
    }
    style_end(style, emphasis, out);
    fputc('\n', out);
    if (shortfall) {
        fprintf(out, "Incomplete: %s.\n", shortfall);
    }
}

static void print_counter(const char *label, uint64_t value, bool always, FILE *out) {
    if (always || value) {
        fprintf(out, "%s: %llu\n", label, (unsigned long long)value);
    }
}

void text_report_warnings(const outcome *o, const style *style, FILE *out) {
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        print_sentence("Warning: ", text_string(&vector_at(&o->warnings, i)), style, out);
    }
    for (uint32_t i = 0; i < o->notes.count; i++) {
        print_sentence("Note: ", text_string(&vector_at(&o->notes, i)), style, out);
    }
}

void text_report_summary(const outcome *o, const style *style, FILE *out) {
    print_verdict(o, style, out);
    const counters *c = &o->counters;
#define PRINT_COUNTER(name, always, label) print_counter(label, c->name, always, out);
    COUNTERS(PRINT_COUNTER)
#undef PRINT_COUNTER
    if (outcome_has_forecast(o)) {
        text words = {0};
        forecast f = outcome_forecast(o);
        rough_forecast(&words, &f);
        fprintf(out, "Estimated total number of executions: %s\n", text_string(&words));
        text_free(&words);
    }
    fprintf(out, "Time: %.2f s", o->seconds);
    if (o->seconds >= LEAST_SECONDS) {
        fprintf(out, " (%.0f executions per second)", (double)c->executions / o->seconds);
    }
    fputc('\n', out);
    fprintf(out, "Verdict: %s (algorithm %s, %s)\n", verdict_word(outcome_verdict(o)),
            text_string(&o->algorithm), memory_model_title(o->model));
    text_report_warnings(o, style, out);
}

char *text_report_plain(const outcome *o, bool with_summary) {
    source source = {0};
    style plain = style_plain();
    char *report = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&report, &size);
    CHECK(stream != NULL);
    for (uint32_t i = 0; i < o->findings.count; i++) {
        text_report_finding(&vector_at(&o->findings, i), &source, &plain, stream);
        fputc('\n', stream);
    }
    if (with_summary) {
        text_report_summary(o, &plain, stream);
    }
    fclose(stream);
    source_free(&source);
    return report;
}
