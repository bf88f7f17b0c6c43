#include "report/json_report.h"

#include "report/json.h"
#include "report/text_report.h"

static void write_place(json_writer *w, target *target, uint32_t location) {
    const char *file = NULL;
    uint32_t line = 0;
    bool known = find_place(target, location, &file, &line);
    json_key(w, "file");
    json_string(w, known ? file : NULL);
    json_key(w, "line");
    json_unsigned(w, known ? line : 0);
}

/* The schedule is the text of a schedule file: what `heddle replay` reads. */
static void write_error(json_writer *w, const found_error *f, const subject *subject,
                        target *target) {
    trace t;
    text message = {0}, schedule = {0};
    found_error_trace(f, target, &t);
    trace_message(&t, &message);
    schedule_write(&schedule, subject, &t);
    json_begin_object(w);
    json_key(w, "kind");
    json_string(w, error_word(f->kind));
    json_key(w, "message");
    json_string(w, text_length(&message) ? text_string(&message) : text_string(&f->message));
    write_place(w, target, f->location);
    json_key(w, "schedule");
    json_string(w, text_string(&schedule));
    json_key(w, "count");
    json_unsigned(w, f->count);
    json_end_object(w);
    text_free(&schedule);
    text_free(&message);
    trace_free(&t);
}

static void write_counters(json_writer *w, const counters *c) {
#define WRITE_COUNTER(name, always, label) \
    json_key(w, #name);                    \
    json_unsigned(w, c->name);
    COUNTERS(WRITE_COUNTER)
#undef WRITE_COUNTER
}

static void write_warnings(json_writer *w, const outcome *o) {
    json_key(w, "warnings");
    json_begin_array(w);
    if (outcome_shortfall(o)) {
        json_string(w, outcome_shortfall(o));
    }
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        json_string(w, text_string(&o->warnings.items[i]));
    }
    json_end_array(w);
}

void json_report(const outcome *o, const subject *subject, target *target, const char *version,
                 FILE *out) {
    json_writer w;
    json_init(&w, out);
    json_begin_object(&w);
    json_key(&w, "verdict");
    json_string(&w, verdict_word(outcome_verdict(o)));
    json_key(&w, "algorithm");
    json_string(&w, o->algorithm);
    write_counters(&w, &o->collector->counters);
    json_key(&w, "seconds");
    json_real(&w, o->seconds);
    json_key(&w, "peak_bytes");
    json_unsigned(&w, peak_bytes());
    json_key(&w, "errors");
    json_begin_array(&w);
    for (uint32_t i = 0; i < o->collector->errors.count; i++) {
        write_error(&w, &o->collector->errors.items[i], subject, target);
    }
    json_end_array(&w);
    write_warnings(&w, o);
    json_key(&w, "version");
    json_string(&w, version);
    json_end_object(&w);
    fputc('\n', out);
}

void json_report_failure(const char *message, FILE *out) {
    json_writer w;
    json_init(&w, out);
    json_begin_object(&w);
    json_key(&w, "verdict");
    json_string(&w, "error");
    json_key(&w, "message");
    json_string(&w, message);
    json_end_object(&w);
    fputc('\n', out);
}
