#include "report/writers/page_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "base/version.h"
#include "report/deadlock.h"
#include "report/explanation.h"
#include "report/holders.h"
#include "report/reason.h"
#include "report/writers/abbreviation.h"
#include "report/writers/json.h"
#include "report/writers/source.h"

typedef struct page {
    json_writer json;
    source source;
    VECTOR(const char *) files; /* whose text is in the page */
} page;

static void write_string(page *p, const char *key, const char *value) {
    json_key(&p->json, key);
    json_string(&p->json, value);
}

static void write_number(page *p, const char *key, uint64_t value) {
    json_key(&p->json, key);
    json_unsigned(&p->json, value);
}

static void write_flag(page *p, const char *key, bool value) {
    json_key(&p->json, key);
    json_boolean(&p->json, value);
}

/* What was appended to the text, which is then empty. */
static void write_text(page *p, const char *key, text *value) {
    write_string(p, key, text_string(value));
    text_clear(value);
}

/* ---- places and sources ---- */

/* The number of the file; -1 if its text is not available. */
static int64_t file_number(page *p, const char *name) {
    for (uint32_t i = 0; i < p->files.count; i++) {
        if (strcmp(vector_at(&p->files, i), name) == 0) {
            return i;
        }
    }
    if (!*source_text(&p->source, name)) {
        return -1;
    }
    vector_push(&p->files, name);
    return p->files.count - 1;
}

static void write_places(page *p, const finding *f) {
    const char *file;
    uint32_t line;
    json_key(&p->json, "places");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->places.count; i++) {
        bool known = !f->nameless && finding_locate(f, i, &file, &line);
        json_begin_object(&p->json);
        json_key(&p->json, "file");
        json_signed(&p->json, known ? file_number(p, file) : -1);
        write_number(p, "line", known ? line : 0);
        json_end_object(&p->json);
    }
    json_end_array(&p->json);
}

static void write_lines(page *p, const char *contents) {
    text line = {0};
    json_key(&p->json, "lines");
    json_begin_array(&p->json);
    while (*contents) {
        uint32_t length = (uint32_t)strcspn(contents, "\r\n");
        text_clear(&line);
        text_append_bytes(&line, contents, length);
        json_string(&p->json, text_string(&line));
        contents += length;
        contents += *contents == '\r' && contents[1] == '\n' ? 2 : *contents != '\0';
    }
    json_end_array(&p->json);
    text_free(&line);
}

static void write_files(page *p) {
    json_key(&p->json, "files");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < p->files.count; i++) {
        json_begin_object(&p->json);
        write_string(p, "name", vector_at(&p->files, i));
        write_lines(p, source_text(&p->source, vector_at(&p->files, i)));
        json_end_object(&p->json);
    }
    json_end_array(&p->json);
}

/* ---- a finding ---- */

/* The line of the source at the place. */
static void write_code(page *p, const char *key, const finding *f, uint32_t place) {
    const char *file;
    uint32_t line;
    text words = {0};
    if (!f->nameless && finding_locate(f, place, &file, &line)) {
        source_line(&p->source, file, line, &words);
    }
    write_text(p, key, &words);
    text_free(&words);
}

static void write_step_source(page *p, const finding *f, const finding_step *s) {
    text words = {0};
    finding_describe_place(f, s->place, &words);
    write_text(p, "where", &words);
    write_code(p, "code", f, s->place);
    text_free(&words);
}

static void write_step(page *p, const finding *f, uint32_t index) {
    const finding_step *s = &vector_at(&f->steps, index);
    text words = {0};
    json_begin_object(&p->json);
    write_number(p, "thread", s->step.thread);
    finding_describe_step(f, index, &words);
    write_text(p, "text", &words);
    write_string(p, "object", finding_text(f, s->name));
    if (s->after_known) {
        write_string(p, "after", finding_text(f, s->after_words));
    }
    write_flag(p, "writes", s->writes);
    write_flag(p, "takes", operation_has_role(s->kind, ROLE_TAKES));
    write_flag(p, "shares", holder_shares(s->kind));
    write_flag(p, "releases", operation_has_role(s->kind, ROLE_RELEASES));
    write_flag(p, "acquired", s->acquired);
    write_flag(p, "failed", s->failed);
    write_flag(p, "involved", finding_is_about(f, index));
    write_number(p, "place", s->place);
    write_step_source(p, f, s);
    json_end_object(&p->json);
    text_free(&words);
}

static void write_steps(page *p, const finding *f) {
    row_list rows = {0};
    json_key(&p->json, "steps");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->steps.count && !f->bare; i++) {
        write_step(p, f, i);
    }
    json_end_array(&p->json);
    json_key(&p->json, "rows");
    json_begin_array(&p->json);
    if (!f->bare) {
        abbreviate(f, false, &rows);
    }
    for (uint32_t i = 0; i < rows.count; i++) {
        const row *r = &vector_at(&rows, i);
        json_begin_array(&p->json);
        json_unsigned(&p->json, r->first);
        json_unsigned(&p->json, r->count);
        json_boolean(&p->json, r->shown);
        json_end_array(&p->json);
    }
    json_end_array(&p->json);
    vector_free(&rows);
}

static void write_edges(page *p, const finding *f) {
    json_key(&p->json, "edges");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->edges.count; i++) {
        json_begin_array(&p->json);
        json_unsigned(&p->json, vector_at(&f->edges, i).before);
        json_unsigned(&p->json, vector_at(&f->edges, i).after);
        if (vector_at(&f->edges, i).reads_only) {
            json_boolean(&p->json, true);
        }
        json_end_array(&p->json);
    }
    json_end_array(&p->json);
}

static void write_ends(page *p, const finding *f) {
    text words = {0};
    json_key(&p->json, "waits");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->waits.count; i++) {
        json_begin_object(&p->json);
        const finding_wait *w = &vector_at(&f->waits, i);
        write_number(p, "thread", w->thread);
        write_number(p, "place", w->place);
        deadlock_wait(f, i, &words);
        write_text(p, "text", &words);
        json_end_object(&p->json);
    }
    json_end_array(&p->json);
    json_key(&p->json, "reasons");
    json_begin_array(&p->json);
    for (uint32_t i = 0; reason_sentence(f, i, &words); i++) {
        json_string(&p->json, text_string(&words));
        text_clear(&words);
    }
    json_end_array(&p->json);
    text_free(&words);
}

/* The thread that made the error, or one of the deadlock; -1 if there is none. */
static int64_t thread_of(const finding *f) {
    for (uint32_t i = 0; i < f->waits.count && f->end == FINDING_DEADLOCK; i++) {
        if (vector_at(&f->waits, i).place == f->place) {
            return vector_at(&f->waits, i).thread;
        }
    }
    return f->thread == FINDING_NO_THREAD ? -1 : (int64_t)f->thread;
}

static void write_head(page *p, const finding *f) {
    static const char *const ends[] = {
        [FINDING_NOTHING] = "nothing", [FINDING_ERROR] = "error", [FINDING_DEADLOCK] = "deadlock"};
    const explanation *e = explanation_of(f->kind);
    text words = {0};
    write_string(p, "end", ends[f->end]);
    json_key(&p->json, "thread");
    json_signed(&p->json, thread_of(f));
    write_string(p, "kind", error_word(f->kind));
    write_string(p, "title", e->title);
    write_string(p, "meaning", e->meaning);
    write_string(p, "remedy", e->remedy);
    finding_headline(f, &words);
    write_text(p, "message", &words);
    finding_describe_position(f, f->place, &words);
    write_text(p, "where", &words);
    if (finding_ends_elsewhere(f)) {
        explanation_in_line(f->kind, &words);
        write_text(p, "ends", &words);
        write_code(p, "endsAt", f, f->place);
    }
    bool decided = f->doomed != FINDING_NO_STEP && f->doomed < f->steps.count;
    write_number(p, "decided", decided ? f->doomed : 0);
    text_free(&words);
}

static void write_finding(page *p, const finding *f) {
    json_begin_object(&p->json);
    write_head(p, f);
    json_key(&p->json, "threads");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->threads.count; i++) {
        json_string(&p->json, finding_thread(f, i));
    }
    json_end_array(&p->json);
    json_key(&p->json, "roles");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < f->threads.count; i++) {
        json_string(&p->json, finding_role(f, i));
    }
    json_end_array(&p->json);
    write_places(p, f);
    write_steps(p, f);
    write_edges(p, f);
    write_ends(p, f);
    json_end_object(&p->json);
}

/* ---- the exploration ---- */

static void write_figure(page *p, const char *label, const char *value) {
    json_begin_array(&p->json);
    json_string(&p->json, label + strspn(label, " "));
    json_string(&p->json, value);
    json_end_array(&p->json);
}

static void write_counter(page *p, const char *label, uint64_t value, bool always) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    if (always || value) {
        write_figure(p, label, digits);
    }
}

static void write_figures(page *p, const outcome *o) {
    char number[32];
    json_key(&p->json, "figures");
    json_begin_array(&p->json);
    write_figure(p, "Verdict", verdict_word(outcome_verdict(o)));
    write_figure(p, "Algorithm", text_string(&o->algorithm));
    write_figure(p, "Checked under", memory_model_title(o->model));
#define WRITE_COUNTER(name, always, label) write_counter(p, label, o->counters.name, always);
    COUNTERS(WRITE_COUNTER)
#undef WRITE_COUNTER
    snprintf(number, sizeof number, "%.2f s", o->seconds);
    write_figure(p, "Time", number);
    snprintf(number, sizeof number, "%.1f MiB", (double)o->peak_bytes / (1 << 20));
    write_figure(p, "Peak memory", number);
    json_end_array(&p->json);
}

static void write_summary(page *p, const outcome *o) {
    const char *shortfall = outcome_shortfall(o);
    write_string(p, "summary",
                 text_length(&o->message) ? text_string(&o->message)
                 : shortfall              ? shortfall
                                          : "No errors were detected.");
    json_key(&p->json, "warnings");
    json_begin_array(&p->json);
    if (shortfall) {
        json_string(&p->json, shortfall);
    }
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        json_string(&p->json, text_string(&vector_at(&o->warnings, i)));
    }
    json_end_array(&p->json);
    json_key(&p->json, "notes");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < o->notes.count; i++) {
        json_string(&p->json, text_string(&vector_at(&o->notes, i)));
    }
    json_end_array(&p->json);
}

static void write_data(page *p, const outcome *o) {
    json_begin_object(&p->json);
    write_string(p, "version", HEDDLE_VERSION);
    write_string(p, "verdict", verdict_word(outcome_verdict(o)));
    write_summary(p, o);
    write_figures(p, o);
    json_key(&p->json, "findings");
    json_begin_array(&p->json);
    for (uint32_t i = 0; i < o->findings.count; i++) {
        write_finding(p, &vector_at(&o->findings, i));
    }
    json_end_array(&p->json);
    write_files(p);
    json_end_object(&p->json);
}

void page_data(text *out, const outcome *o) {
    page p = {0};
    json_open(&p.json);
    write_data(&p, o);
    json_close(&p.json, out);
    vector_free(&p.files);
    source_free(&p.source);
}
