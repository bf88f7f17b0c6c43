/* The report for programs: one JSON object on one line. Its keys are a promise to users:
 * docs/schema/report.json describes them. A new key keeps the version of the schema; a key that
 * changes its meaning, or is removed, means a new version. */
#include "base/version.h"
#include "report/writers/json.h"
#include "report/writers/schedule.h"
#include "report/writers/writers.h"

enum { JSON_SCHEMA_VERSION = 1 };

static void write_place(json_writer *w, const finding *f, uint32_t place) {
    const char *file = NULL;
    uint32_t line = 0;
    bool known = finding_locate(f, place, &file, &line);
    json_key(w, "file");
    json_string(w, known ? file : NULL);
    json_key(w, "line");
    json_unsigned(w, known ? line : 0);
    json_key(w, "column");
    json_unsigned(w, known ? finding_column(f, place) : 0);
}

static void write_thread(json_writer *w, const finding *f, uint32_t thread) {
    json_key(w, "thread");
    json_string(w, thread < f->threads.count ? finding_thread(f, thread) : NULL);
}

/* From 1, as the text counts them; null if there is none. */
static void write_number(json_writer *w, const char *key, uint32_t step) {
    json_key(w, key);
    if (step == FINDING_NO_STEP) {
        json_string(w, NULL);
    } else {
        json_unsigned(w, step + 1);
    }
}

static void write_function(json_writer *w, const finding *f, uint32_t place) {
    const char *function = finding_text(f, vector_at(&f->places, place).function);
    json_key(w, "function");
    json_string(w, *function ? function : NULL);
}

static void write_step(json_writer *w, const finding *f, const finding_step *s) {
    json_begin_object(w);
    write_thread(w, f, s->step.thread);
    json_key(w, "kind");
    json_string(w, operation_word(s->kind));
    json_key(w, "object");
    json_string(w, s->name ? finding_text(f, s->name) : NULL);
    json_key(w, "value");
    if (s->valued) {
        json_signed(w, (int64_t)s->value);
    } else {
        json_string(w, NULL);
    }
    json_key(w, "after");
    if (s->after_known) {
        json_signed(w, (int64_t)s->after);
    } else {
        json_string(w, NULL);
    }
    json_key(w, "order");
    json_string(w, s->ordered ? access_order_word(s->order) : NULL);
    write_place(w, f, s->place);
    write_function(w, f, s->place);
    json_end_object(w);
}

static void write_steps(json_writer *w, const finding *f) {
    json_key(w, "steps");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->steps.count && !f->bare; i++) {
        write_step(w, f, &vector_at(&f->steps, i));
    }
    json_end_array(w);
}

/* What else the error is about: the accesses of a race, where a block was allocated and freed. */
static void write_relations(json_writer *w, const finding *f) {
    json_key(w, "related");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->relations.count; i++) {
        const finding_relation *r = &vector_at(&f->relations, i);
        json_begin_object(w);
        json_key(w, "what");
        json_string(w, finding_text(f, r->what));
        write_thread(w, f, r->thread);
        write_place(w, f, r->place);
        write_number(w, "step", r->step);
        json_end_object(w);
    }
    json_end_array(w);
}

/* Where the thread is that made the error, and the calls that led there; the threads by name. */
static void write_stack(json_writer *w, const finding *f) {
    json_key(w, "stack");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->stack.count; i++) {
        json_begin_object(w);
        write_place(w, f, vector_at(&f->stack, i));
        write_function(w, f, vector_at(&f->stack, i));
        json_end_object(w);
    }
    json_end_array(w);
    json_key(w, "threads");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->threads.count; i++) {
        json_begin_object(w);
        json_key(w, "name");
        json_string(w, finding_thread(f, i));
        json_key(w, "role");
        json_string(w, *finding_role(f, i) ? finding_role(f, i) : NULL);
        json_end_object(w);
    }
    json_end_array(w);
}

/* Threads that are blocked at the end. */
static void write_waits(json_writer *w, const finding *f) {
    json_key(w, "waits");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->waits.count; i++) {
        const finding_wait *wait = &vector_at(&f->waits, i);
        json_begin_object(w);
        write_thread(w, f, wait->thread);
        json_key(w, "kind");
        json_string(w, operation_word(wait->kind));
        json_key(w, "object");
        json_string(w, wait->name ? finding_text(f, wait->name) : NULL);
        write_place(w, f, wait->place);
        json_end_object(w);
    }
    json_end_array(w);
}

/* The schedule is the text of a schedule file: what `heddle replay` reads. */
static void write_finding(json_writer *w, const finding *f, const settings *settings) {
    text schedule = {0};
    schedule_write(&schedule, settings, f);
    json_begin_object(w);
    json_key(w, "kind");
    json_string(w, error_word(f->kind));
    json_key(w, "message");
    json_string(w, finding_text(f, f->message));
    write_thread(w, f, f->thread);
    write_place(w, f, f->place);
    write_stack(w, f);
    write_relations(w, f);
    write_waits(w, f);
    write_steps(w, f);
    json_key(w, "remarks");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->remarks.count; i++) {
        json_string(w, finding_text(f, vector_at(&f->remarks, i)));
    }
    json_end_array(w);
    json_key(w, "unavoidable_after");
    if (f->doomed == FINDING_NO_STEP) {
        json_string(w, NULL);
    } else {
        json_unsigned(w, f->doomed);
    }
    json_key(w, "schedule");
    json_string(w, text_string(&schedule));
    json_key(w, "count");
    json_unsigned(w, f->count);
    json_end_object(w);
    text_free(&schedule);
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
        json_string(w, text_string(&vector_at(&o->warnings, i)));
    }
    json_end_array(w);
    json_key(w, "notes");
    json_begin_array(w);
    for (uint32_t i = 0; i < o->notes.count; i++) {
        json_string(w, text_string(&vector_at(&o->notes, i)));
    }
    json_end_array(w);
}

/* Of an exploration that has ended, the number is known. */
static void write_forecast(json_writer *w, const outcome *o) {
    if (outcome_has_forecast(o)) {
        forecast f = outcome_forecast(o);
        json_key(w, "estimate");
        json_begin_object(w);
        json_key(w, "executions");
        json_real(w, f.likely);
        json_key(w, "low");
        json_real(w, f.low);
        json_key(w, "high");
        json_real(w, f.high);
        json_end_object(w);
    }
}

void json_report(text *out, const settings *settings, const outcome *o) {
    json_writer w;
    json_open(&w);
    json_begin_object(&w);
    json_key(&w, "verdict");
    json_string(&w, verdict_word(outcome_verdict(o)));
    json_key(&w, "schema_version");
    json_unsigned(&w, JSON_SCHEMA_VERSION);
    if (text_length(&o->message)) {
        json_key(&w, "message");
        json_string(&w, text_string(&o->message));
    }
    if (text_length(&o->diagnostics)) {
        json_key(&w, "diagnostics");
        json_string(&w, text_string(&o->diagnostics));
    }
    json_key(&w, "algorithm");
    json_string(&w, text_string(&o->algorithm));
    json_key(&w, "model");
    json_string(&w, memory_model_word(o->model));
    if (o->parts) {
        json_key(&w, "part");
        json_unsigned(&w, o->part);
        json_key(&w, "parts");
        json_unsigned(&w, o->parts);
    }
    write_counters(&w, &o->counters);
    write_forecast(&w, o);
    json_key(&w, "seconds");
    json_real(&w, o->seconds);
    json_key(&w, "peak_bytes");
    json_unsigned(&w, o->peak_bytes);
    json_key(&w, "workers");
    json_unsigned(&w, o->workers);
    json_key(&w, "errors");
    json_begin_array(&w);
    for (uint32_t i = 0; i < o->findings.count; i++) {
        write_finding(&w, &vector_at(&o->findings, i), settings);
    }
    json_end_array(&w);
    write_warnings(&w, o);
    json_key(&w, "version");
    json_string(&w, HEDDLE_VERSION);
    json_end_object(&w);
    json_close(&w, out);
    text_append(out, "\n");
}
