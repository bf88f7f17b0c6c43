#include "report/writers/text_report.h"

#include "report/deadlock.h"
#include "report/writers/table.h"

/* The line of the assertion itself; the table has the step before it. */
static void print_failing_line(const finding *f, source *source, FILE *out) {
    const char *file;
    uint32_t line;
    text code = {0};
    if (f->end == FINDING_ERROR && !f->nameless && finding_locate(f, f->place, &file, &line)) {
        source_line(source, file, line, &code);
    }
    if (text_length(&code)) {
        fprintf(out, "    %s\n", text_string(&code));
    }
    text_free(&code);
}

void text_report_headline(const finding *f, const style *style, FILE *out) {
    text place = {0}, message = {0};
    if (f->end == FINDING_ERROR) {
        text_append(&message, finding_text(f, f->message));
        finding_describe_place(f, f->place, &place);
    } else if (f->bare) {
        text_append(&message, finding_text(f, f->message));
    } else {
        text_format(&message, "deadlock: %u thread%s for ever", f->waits.count,
                    f->waits.count == 1 ? " waits" : "s wait");
    }
    style_begin(style, EMPHASIS_ERROR, out);
    fprintf(out, "%s%s%s\n", text_string(&place), text_length(&place) ? ": " : "",
            text_string(&message));
    style_end(style, EMPHASIS_ERROR, out);
    text_free(&place);
    text_free(&message);
}

void text_report_finding(const finding *f, source *source, const style *style, FILE *out) {
    if (f->end != FINDING_NOTHING) {
        text_report_headline(f, style, out);
        print_failing_line(f, source, out);
    }
    if (f->bare) {
        fprintf(out, "  (after %u steps, which heddle replay shows)\n", f->steps.count);
    } else if (f->steps.count) {
        table_print(f, source, style, out);
    } else {
        fputs("  (before the first step)\n", out);
    }
    if (f->end == FINDING_DEADLOCK && !f->bare) {
        deadlock_explain(f, out);
    }
    if (f->count > 1) {
        fprintf(out, "  (met %llu times; this is the first)\n", (unsigned long long)f->count);
    }
}

static void print_verdict(const outcome *o, const style *style, FILE *out) {
    enum verdict verdict = outcome_verdict(o);
    const char *shortfall = outcome_shortfall(o);
    uint32_t errors = o->bugs;
    enum emphasis emphasis = verdict == VERDICT_VERIFIED ? EMPHASIS_GOOD : EMPHASIS_ERROR;
    style_begin(style, emphasis, out);
    if (verdict == VERDICT_BUG) {
        fprintf(out, "%u error%s detected", errors, errors == 1 ? " was" : "s were");
        fprintf(out, o->end == EXPLORATION_STOPPED ? "; stopped there (-k goes on)." : ".");
    } else {
        fputs("No errors were detected", out);
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

void text_report_summary(const outcome *o, const style *style, FILE *out) {
    print_verdict(o, style, out);
    const counters *c = &o->counters;
#define PRINT_COUNTER(name, always, label) print_counter(label, c->name, always, out);
    COUNTERS(PRINT_COUNTER)
#undef PRINT_COUNTER
    double rate = o->seconds > 0 ? (double)c->executions / o->seconds : 0;
    fprintf(out, "Time: %.2f s (%.0f executions per second)\n", o->seconds, rate);
    fprintf(out, "Verdict: %s (algorithm %s, sequential consistency)\n",
            verdict_word(outcome_verdict(o)), text_string(&o->algorithm));
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        fprintf(out, "Warning: %s\n", text_string(&vector_at(&o->warnings, i)));
    }
}
