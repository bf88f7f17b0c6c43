/* Writes the outcome as a JUnit report, which continuous-integration services show: one test case,
 * named after what was checked. It passes if the program is verified; a bug is its failure, with
 * the counterexamples as text; everything else (incomplete, unsupported, an error) is an error,
 * because the program was not proved. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "report/writers/text_report.h"
#include "report/writers/writers.h"

/* Text or a value of an attribute: XML has no control characters, not even escaped, and what is not
 * UTF-8 (a name of a file, a compiler's quotation of a source) would make the whole report
 * unreadable. */
static void append_escaped(text *out, const char *string) {
    for (; *string; string++) {
        uint32_t length = utf8_length((const unsigned char *)string);
        bool control = (unsigned char)*string < ' ' && *string != '\n' && *string != '\t';
        switch (*string) {
            case '&': text_append(out, "&amp;"); break;
            case '<': text_append(out, "&lt;"); break;
            case '>': text_append(out, "&gt;"); break;
            case '"': text_append(out, "&quot;"); break;
            default:
                if (control || length == 0) {
                    text_append(out, control ? " " : "?");
                } else {
                    text_append_bytes(out, string, length);
                    string += length - 1;
                }
        }
    }
}

static void append_attribute(text *out, const char *name, const char *value) {
    text_format(out, " %s=\"", name);
    append_escaped(out, value);
    text_append(out, "\"");
}

/* "examples/bank.c -DORDERED -- 7" */
static void append_name(text *out, const settings *s) {
    text_append(out, s->program ? s->program : "");
    for (uint32_t i = 0; i < s->files.count; i++) {
        text_format(out, "%s%s", i ? " " : "", vector_at(&s->files, i));
    }
    for (uint32_t i = 0; i < s->definitions.count; i++) {
        text_format(out, " -D%s", vector_at(&s->definitions, i));
    }
    for (uint32_t i = 0; i < s->flags.count; i++) {
        text_format(out, " %s", vector_at(&s->flags, i));
    }
    for (uint32_t i = 0; i < s->arguments.count; i++) {
        text_format(out, " %s%s", i ? "" : "-- ", vector_at(&s->arguments, i));
    }
}

/* The findings as the text shows them. */
static void append_findings(text *out, const outcome *o) {
    char *report = text_report_plain(o, false);
    append_escaped(out, report);
    free(report);
}

static void append_failure(text *out, const outcome *o) {
    const finding *first = &vector_at(&o->findings, 0);
    text headline = {0};
    finding_headline(first, &headline);
    text_append(out, "<failure");
    append_attribute(out, "type", error_word(first->kind));
    append_attribute(out, "message", text_string(&headline));
    text_free(&headline);
    text_append(out, ">");
    append_findings(out, o);
    text_append(out, "</failure>\n");
}

static void append_error(text *out, const outcome *o) {
    const char *words = outcome_shortfall(o);
    text_append(out, "<error");
    append_attribute(out, "type", verdict_word(outcome_verdict(o)));
    append_attribute(out, "message",
                     text_length(&o->message) ? text_string(&o->message)
                     : words                  ? words
                                              : "");
    text_append(out, ">");
    append_escaped(out, text_string(&o->diagnostics));
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        append_escaped(out, text_string(&vector_at(&o->warnings, i)));
        text_append(out, "\n");
    }
    text_append(out, "</error>\n");
}

static bool is_passed(enum verdict verdict) {
    return verdict == VERDICT_VERIFIED || verdict == VERDICT_PART;
}

static void append_counts(text *out, enum verdict verdict, double seconds) {
    text_format(out, " tests=\"1\" failures=\"%d\" errors=\"%d\" time=\"%.3f\"",
                verdict == VERDICT_BUG, verdict != VERDICT_BUG && !is_passed(verdict), seconds);
}

void junit_report(text *out, const settings *s, const outcome *o) {
    enum verdict verdict = outcome_verdict(o);
    text name = {0};
    append_name(&name, s);
    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\"");
    append_counts(out, verdict, o->seconds);
    text_append(out, ">\n<testsuite name=\"heddle\"");
    append_counts(out, verdict, o->seconds);
    text_append(out, ">\n<testcase classname=\"heddle\"");
    append_attribute(out, "name", text_string(&name));
    text_format(out, " time=\"%.3f\">\n", o->seconds);
    if (verdict == VERDICT_BUG) {
        append_failure(out, o);
    } else if (!is_passed(verdict)) {
        append_error(out, o);
    }
    text_format(out, "<system-out>verdict: %s, %llu executions</system-out>\n",
                verdict_word(verdict), (unsigned long long)o->counters.executions);
    text_append(out, "</testcase>\n</testsuite>\n</testsuites>\n");
    text_free(&name);
}
