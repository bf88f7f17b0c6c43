/* Writes the outcome as a SARIF log (OASIS, Static Analysis Results Interchange Format 2.1.0), as
 * code scanning services read it: a rule for each kind of error (report/explanation.h), a result
 * for each finding with its related places, and its schedule as a code flow. A code flow has a
 * thread flow for each thread, and every step its place in the order of execution (section 3.36 and
 * `executionOrder`, 3.38.11). What the text calls a warning is a notification of the invocation. */
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/version.h"
#include "report/explanation.h"
#include "report/writers/json.h"
#include "report/writers/writers.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static void write_string(json_writer *w, const char *key, const char *value) {
    json_key(w, key);
    json_string(w, value);
}

/* {"text": …}: a message, or a description. */
static void write_message(json_writer *w, const char *key, const char *words) {
    json_key(w, key);
    json_begin_object(w);
    write_string(w, "text", words);
    json_end_object(w);
}

/* ---- places ---- */

/* A path as a URI: relative to the sources, or file://; other characters become %XX. */
static void append_uri(text *out, const char *path) {
    text_append(out, *path == '/' ? "file://" : "");
    for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("/-._~", *c);
        text_format(out, plain ? "%c" : "%%%02X", *c);
    }
}

static void write_artifact(json_writer *w, const char *file) {
    text uri = {0};
    append_uri(&uri, file);
    json_key(w, "artifactLocation");
    json_begin_object(w);
    write_string(w, "uri", text_string(&uri));
    if (*file != '/') {
        write_string(w, "uriBaseId", "%SRCROOT%");
    }
    json_end_object(w);
    text_free(&uri);
}

static void write_region(json_writer *w, uint32_t line, uint32_t column) {
    json_key(w, "region");
    json_begin_object(w);
    json_key(w, "startLine");
    json_unsigned(w, line);
    if (column) {
        json_key(w, "startColumn");
        json_unsigned(w, column);
    }
    json_end_object(w);
}

/* The inside of a location object. */
static void write_location(json_writer *w, const finding *f, uint32_t place, const char *words) {
    const char *file;
    uint32_t line;
    if (!f->nameless && finding_locate(f, place, &file, &line) && line) {
        json_key(w, "physicalLocation");
        json_begin_object(w);
        write_artifact(w, file);
        write_region(w, line, finding_column(f, place));
        json_end_object(w);
    }
    const char *function = finding_text(f, vector_at(&f->places, place).function);
    if (*function) {
        json_key(w, "logicalLocations");
        json_begin_array(w);
        json_begin_object(w);
        write_string(w, "name", function);
        write_string(w, "kind", "function");
        json_end_object(w);
        json_end_array(w);
    }
    if (words) {
        write_message(w, "message", words);
    }
}

/* ---- a result ---- */

static void write_related(json_writer *w, const finding *f, uint32_t *id, uint32_t place,
                          const char *words) {
    json_begin_object(w);
    json_key(w, "id");
    json_unsigned(w, (*id)++);
    write_location(w, f, place, words);
    json_end_object(w);
}

static void write_related_locations(json_writer *w, const finding *f) {
    text words = {0};
    uint32_t id = 1;
    json_key(w, "relatedLocations");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->relations.count; i++) {
        const finding_relation *r = &vector_at(&f->relations, i);
        text_clear(&words);
        text_format(&words, "%s by %s", finding_text(f, r->what), finding_thread(f, r->thread));
        write_related(w, f, &id, r->place, text_string(&words));
    }
    for (uint32_t i = 0; i < f->waits.count && f->end == FINDING_DEADLOCK; i++) {
        const finding_wait *wait = &vector_at(&f->waits, i);
        text_clear(&words);
        text_format(&words, "%s is blocked in %s %s", finding_thread(f, wait->thread),
                    operation_word(wait->kind), finding_text(f, wait->name));
        write_related(w, f, &id, wait->place, text_string(&words));
    }
    json_end_array(w);
    text_free(&words);
}

static void write_step(json_writer *w, const finding *f, uint32_t index) {
    const finding_step *s = &vector_at(&f->steps, index);
    json_begin_object(w);
    json_key(w, "executionOrder");
    json_unsigned(w, index + 1);
    write_string(w, "importance", s->failed ? "essential" : "important");
    json_key(w, "location");
    json_begin_object(w);
    write_location(w, f, s->place, finding_text(f, s->description));
    json_end_object(w);
    json_end_object(w);
}

/* A thread without steps has no flow: a flow needs a location. */
static void write_thread(json_writer *w, const finding *f, uint32_t thread) {
    bool begun = false;
    for (uint32_t i = 0; i < f->steps.count; i++) {
        if (vector_at(&f->steps, i).step.thread != thread) {
            continue;
        }
        if (!begun) {
            json_begin_object(w);
            write_string(w, "id", finding_thread(f, thread));
            json_key(w, "locations");
            json_begin_array(w);
            begun = true;
        }
        write_step(w, f, i);
    }
    if (begun) {
        json_end_array(w);
        json_end_object(w);
    }
}

static void write_schedule(json_writer *w, const finding *f) {
    if (f->bare || !f->steps.count) {
        return;
    }
    json_key(w, "codeFlows");
    json_begin_array(w);
    json_begin_object(w);
    write_message(w, "message", "the schedule, one flow for each thread");
    json_key(w, "threadFlows");
    json_begin_array(w);
    for (uint32_t t = 0; t < f->threads.count; t++) {
        write_thread(w, f, t);
    }
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
}

/* The same error in another run has the same one: kind, message and file, but no line. */
static void write_fingerprint(json_writer *w, const finding *f) {
    const char *file = "";
    uint32_t line;
    text words = {0}, hash = {0};
    finding_locate(f, f->place, &file, &line);
    text_format(&words, "%s %s %s", error_word(f->kind), file,
                finding_text(f, vector_at(&f->places, f->place).function));
    text_format(&hash, "%016llx",
                (unsigned long long)bytes_checksum(text_string(&words), text_length(&words)));
    json_key(w, "partialFingerprints");
    json_begin_object(w);
    write_string(w, "heddleFinding/v1", text_string(&hash));
    json_end_object(w);
    text_free(&words);
    text_free(&hash);
}

static void write_result(json_writer *w, const finding *f) {
    json_begin_object(w);
    write_string(w, "ruleId", error_word(f->kind));
    json_key(w, "ruleIndex");
    json_unsigned(w, f->kind);
    write_string(w, "level", finding_is_bug(f) ? "error" : "warning");
    text words = {0};
    finding_headline(f, &words);
    for (uint32_t k = 0; k < f->remarks.count; k++) {
        text_format(&words, "%s%s", k ? " " : ". ", finding_text(f, vector_at(&f->remarks, k)));
    }
    write_message(w, "message", text_string(&words));
    text_free(&words);
    json_key(w, "locations");
    json_begin_array(w);
    json_begin_object(w);
    write_location(w, f, f->place, NULL);
    json_end_object(w);
    json_end_array(w);
    write_related_locations(w, f);
    write_schedule(w, f);
    json_key(w, "occurrenceCount");
    json_unsigned(w, f->count ? f->count : 1);
    write_fingerprint(w, f);
    json_end_object(w);
}

/* ---- the run ---- */

static void write_rule(json_writer *w, enum error_kind kind) {
    const explanation *e = explanation_of(kind);
    text help = {0};
    text_format(&help, "%s\n\n%s", e->meaning, e->remedy);
    json_begin_object(w);
    write_string(w, "id", error_word(kind));
    write_message(w, "shortDescription", e->title);
    write_message(w, "fullDescription", e->summary);
    write_message(w, "help", text_string(&help));
    json_end_object(w);
    text_free(&help);
}

static void write_driver(json_writer *w) {
    json_key(w, "tool");
    json_begin_object(w);
    json_key(w, "driver");
    json_begin_object(w);
    write_string(w, "name", "heddle");
    write_string(w, "version", HEDDLE_VERSION);
    json_key(w, "rules");
    json_begin_array(w);
    for (uint32_t kind = 0; kind < ERROR_KIND_COUNT; kind++) {
        write_rule(w, kind);
    }
    json_end_array(w);
    json_end_object(w);
    json_end_object(w);
}

static void write_notification(json_writer *w, const char *level, const char *words) {
    json_begin_object(w);
    write_string(w, "level", level);
    write_message(w, "message", words);
    json_end_object(w);
}

static void write_invocation(json_writer *w, const outcome *o) {
    int status = verdict_status(outcome_verdict(o));
    json_key(w, "invocations");
    json_begin_array(w);
    json_begin_object(w);
    json_key(w, "executionSuccessful");
    json_boolean(w, status == EXIT_VERIFIED || status == EXIT_BUG);
    json_key(w, "exitCode");
    json_unsigned(w, (uint64_t)status);
    json_key(w, "toolExecutionNotifications");
    json_begin_array(w);
    if (text_length(&o->message)) {
        write_notification(w, "error", text_string(&o->message));
    }
    if (outcome_shortfall(o)) {
        write_notification(w, "warning", outcome_shortfall(o));
    }
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        write_notification(w, "warning", text_string(&vector_at(&o->warnings, i)));
    }
    for (uint32_t i = 0; i < o->notes.count; i++) {
        write_notification(w, "note", text_string(&vector_at(&o->notes, i)));
    }
    json_end_array(w);
    json_end_object(w);
    json_end_array(w);
}

static void write_run(json_writer *w, const outcome *o) {
    json_begin_object(w);
    write_driver(w);
    write_invocation(w, o);
    json_key(w, "results");
    json_begin_array(w);
    for (uint32_t i = 0; i < o->findings.count; i++) {
        write_result(w, &vector_at(&o->findings, i));
    }
    json_end_array(w);
    json_key(w, "properties");
    json_begin_object(w);
    write_string(w, "verdict", verdict_word(outcome_verdict(o)));
    write_string(w, "algorithm", text_string(&o->algorithm));
    write_string(w, "model", memory_model_word(o->model));
    json_end_object(w);
    json_end_object(w);
}

void sarif_report(text *out, const settings *s, const outcome *o) {
    json_writer w;
    (void)s;
    json_open(&w);
    json_begin_object(&w);
    write_string(&w, "$schema", SCHEMA);
    write_string(&w, "version", "2.1.0");
    json_key(&w, "runs");
    json_begin_array(&w);
    write_run(&w, o);
    json_end_array(&w);
    json_end_object(&w);
    json_close(&w, out);
    text_append(out, "\n");
}
