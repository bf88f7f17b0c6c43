#include "report/writers/text_report.h"

#include "report/deadlock.h"
#include "report/race_reason.h"
#include "report/writers/cell.h"
#include "report/writers/paragraph.h"
#include "report/writers/table.h"

/* The line of the assertion itself; the table has the step before it. */
static void print_failing_line(const finding *f, source *source, const style *style, FILE *out) {
    const char *file;
    uint32_t line;
    text code = {0}, shown = {0};
    if (f->end == FINDING_ERROR && !f->nameless && finding_locate(f, f->place, &file, &line)) {
        source_line(source, file, line, &code);
    }
    if (text_length(&code)) {
        cell_cut(text_string(&code), style->width - 4, &shown);
        fprintf(out, "    %s\n", text_string(&shown));
    }
    text_free(&code);
    text_free(&shown);
}

/* "file.c:12:5: ", as editors and compilers have it; or nothing. */
static void append_place(const finding *f, text *out) {
    const char *file;
    uint32_t line, column = finding_column(f, f->place);
    if (!finding_locate(f, f->place, &file, &line)) {
        return;
    }
    text_format(out, "%s:%u", file, line);
    if (column) {
        text_format(out, ":%u", column);
    }
    text_append(out, ": ");
}

void text_report_headline(const finding *f, const style *style, FILE *out) {
    text place = {0}, message = {0};
    append_place(f, &place);
    if (f->end == FINDING_ERROR || f->bare) {
        text_append(&message, finding_text(f, f->message));
    } else {
        text_format(&message, "deadlock: %u thread%s blocked forever", f->waits.count,
                    f->waits.count == 1 ? " is" : "s are");
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

/* "write by T1 in step 4 (race.c:10), holding mutex" */
static void print_relation(const finding *f, const finding_relation *r, const style *style,
                           FILE *out) {
    text line = {0}, place = {0}, locks = {0};
    text_format(&line, "%s by %s", finding_text(f, r->what), finding_thread(f, r->thread));
    if (r->step != FINDING_NO_STEP) {
        text_format(&line, " in step %u", r->step + 1);
    }
    finding_describe_place(f, r->place, &place);
    if (text_length(&place)) {
        text_format(&line, " (%s)", text_string(&place));
    }
    if (f->kind == ERROR_DATA_RACE && r->step != FINDING_NO_STEP) {
        locks_held(f, r->thread, r->step, &locks);
        text_format(&line, ", holding %s", text_length(&locks) ? text_string(&locks) : "no lock");
    }
    paragraph_hanging(text_string(&line), 2, style->width, out);
    text_free(&line);
    text_free(&place);
    text_free(&locks);
}

/* In the order of their steps: the first of a race is the later one. */
static void print_relations(const finding *f, const style *style, FILE *out) {
    uint32_t count = f->relations.count;
    bool race = f->kind == ERROR_DATA_RACE;
    for (uint32_t i = 0; i < count; i++) {
        print_relation(f, &vector_at(&f->relations, race ? count - 1 - i : i), style, out);
    }
    if (race && count) {
        text reason = {0};
        race_reason(f, &reason);
        paragraph_hanging(text_string(&reason), 2, style->width, out);
        text_free(&reason);
    }
}

static void print_deadlock(const finding *f, const style *style, FILE *out) {
    text line = {0};
    for (uint32_t i = 0; deadlock_sentence(f, i, &line); i++) {
        paragraph_hanging(text_string(&line), 2, style->width, out);
        text_clear(&line);
    }
    text_free(&line);
}

static void print_decision(const finding *f, FILE *out) {
    if (f->doomed == 0 && f->steps.count) {
        fprintf(out, "  Every schedule of the program has an error of this kind.\n");
    } else if (f->doomed != FINDING_NO_STEP && f->doomed < f->steps.count) {
        fprintf(out, "  ! after step %u the error can no longer be avoided\n", f->doomed);
    }
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
    } else {
        fputs("  (before the first step)\n", out);
    }
    print_relations(f, style, out);
    if (f->end == FINDING_DEADLOCK && !f->bare) {
        print_deadlock(f, style, out);
    }
    print_decision(f, out);
    if (f->count > 1) {
        fprintf(out, "  (occurred %llu times; the first is shown)\n", (unsigned long long)f->count);
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
        fputs(o->end == EXPLORATION_STOPPED ? " (stopped at the first error; -k continues)." : ".",
              out);
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
