#include "report/trace_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/trace_source.h"

static const char *words_at(const trace *t, uint32_t start) {
    return text_string(&t->words) + start;
}

/* Targets write descriptions to a stream; here they are needed as text. */
typedef struct collected {
    FILE *stream;
    char *words;
    size_t size;
} collected;

static void collect(collected *c) {
    *c = (collected){0};
    c->stream = open_memstream(&c->words, &c->size);
    CHECK(c->stream != NULL);
}

/* Appends it if it is `known`, which is returned. */
static bool append_collected(collected *c, bool known, text *out) {
    fclose(c->stream);
    if (known) {
        text_append_bytes(out, c->words, (uint32_t)c->size);
    }
    free(c->words);
    return known;
}

static void describe(target *target, void (*function)(struct target *, uint32_t, FILE *),
                     uint32_t number, text *out) {
    collected c;
    collect(&c);
    function(target, number, c.stream);
    append_collected(&c, true, out);
}

void describe_thread(target *target, uint32_t thread, text *out) {
    describe(target, target->class->describe_thread, thread, out);
}

static void describe_object(target *target, uint32_t object, text *out) {
    describe(target, target->class->describe_object, object, out);
}

void describe_role(target *target, uint32_t thread, text *out) {
    if (target->class->describe_role) {
        describe(target, target->class->describe_role, thread, out);
    }
}

static void describe_value(target *target, const trace_step *s, uint64_t value, text *out) {
    memory_access a;
    collected c;
    collect(&c);
    bool known = target->class->describe_value && trace_variable(s, &a) &&
                 target->class->describe_value(target, a, value, c.stream);
    if (!append_collected(&c, known, out)) {
        text_format(out, "%" PRId64, (int64_t)value);
    }
}

static void describe_cells(target *target, footprint f, text *out) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        text_append(out, i ? ", " : "");
        text_append(out, a.mode == ACCESS_READ ? "read " : "write ");
        describe_object(target, a.object, out);
    }
}

static void describe_woken(const trace *t, const trace_step *s, text *out) {
    if (!operation_has_role(s->kind, ROLE_WAKES_ONE)) {
        return;
    }
    if (s->step.choice == CHOICE_NONE) {
        text_append(out, " (nobody waits)");
        return;
    }
    text_append(out, " (wakes ");
    describe_thread(t->target, s->step.choice, out);
    text_append(out, ")");
}

bool trace_has_value(enum operation_kind kind) {
    return operation_shows(kind, SHOWS_RESULT | SHOWS_VALUE);
}

static void describe_whole(target *target, uint32_t object, text *out) {
    const target_class *class = target->class;
    describe(target, class->describe_whole ? class->describe_whole : class->describe_object, object,
             out);
}

static void describe_access(target *target, memory_access a, text *out) {
    collected c;
    collect(&c);
    target->class->describe_access(target, a, c.stream);
    append_collected(&c, true, out);
}

static void name_subject(target *target, enum operation_kind kind, uint32_t object,
                         footprint touched, text *out) {
    if (operation_shows(kind, SHOWS_CELLS)) {
        describe_cells(target, touched, out);
    } else if (operation_shows(kind, SHOWS_THREAD)) {
        describe_thread(target, object, out);
    } else if (operation_shows(kind, SHOWS_WHOLE)) {
        describe_whole(target, object, out);
    } else if (operation_is_access(kind) && footprint_count(touched) == 1 &&
               target->class->describe_access) {
        describe_access(target, footprint_access(touched, 0), out);
    } else if (operation_shows(kind, SHOWS_OBJECT)) {
        describe_object(target, object, out);
    }
}

void trace_name_object(const trace *t, uint32_t index, text *out) {
    text_append(out, words_at(t, vector_at(&t->steps, index).name));
}

void trace_name_awaited(const trace *t, uint32_t index, text *out) {
    const trace_wait *w = &vector_at(&t->waits, index);
    name_subject(t->target, w->kind, w->object, w->footprint, out);
}

void trace_describe_after(const trace *t, uint32_t index, text *out) {
    text_append(out, words_at(t, vector_at(&t->steps, index).after_words));
}

void trace_describe(const trace *t, uint32_t index, text *out) {
    text_append(out, words_at(t, vector_at(&t->steps, index).description));
}

/* "lock left" */
static void describe_deed(enum operation_kind kind, const char *name, text *out) {
    text_append(out, operation_word(kind));
    bool named = *name || operation_shows(kind, SHOWS_OBJECT | SHOWS_THREAD);
    text_append(out, named ? " " : "");
    text_append(out, name);
}

void describe_operation(target *target, const operation *o, text *out) {
    text name = {0};
    name_subject(target, o->kind, o->object, o->footprint, &name);
    describe_deed(o->kind, text_string(&name), out);
    text_free(&name);
}

/* What it has written, or what it found instead of the expected value. */
static void describe_success(const trace *t, const trace_step *s, text *out) {
    if (!s->after_known || !operation_is_access(s->kind)) {
        text_append(out, s->value ? " succeeded" : " failed");
        return;
    }
    text_append(out, s->value ? " = " : " failed: it is ");
    describe_value(t->target, s, s->after, out);
}

/* " = "hello, world"", " (400 bytes)": what several objects hold. */
static void describe_range(const trace *t, const trace_step *s, text *out) {
    const char *sign = operation_shows(s->kind, SHOWS_RESULT) ? " -> " : " = ";
    bool updates =
        operation_has_role(s->kind, ROLE_READS) && operation_has_role(s->kind, ROLE_WRITES);
    text words = {0};
    collected c;
    collect(&c);
    bool known = !s->lost && t->target->class->describe_range &&
                 t->target->class->describe_range(t->target, s->footprint, c.stream);
    if (append_collected(&c, known, &words)) {
        text_append(out, text_length(&words) ? sign : "");
        text_append(out, text_string(&words));
    } else if (s->wide && !updates) {
        text_format(out, " (%u bytes)", s->wide);
    } else if (!s->lost && !s->wide) {
        text_append(out, sign);
        describe_value(t->target, s, s->value, out);
    }
    text_free(&words);
}

/* What replaced the value that it read. */
static void describe_update(const trace *t, const trace_step *s, text *out) {
    bool updates = operation_has_role(s->kind, ROLE_READS) && s->writes;
    if (updates && s->after_known) {
        text_append(out, ", now ");
        describe_value(t->target, s, s->after, out);
    }
}

static void describe_step(const trace *t, uint32_t index, text *out) {
    const trace_step *s = &vector_at(&t->steps, index);
    describe_deed(s->kind, words_at(t, s->name), out);
    if (s->missed) {
        bool named = text_string(out)[text_length(out) - 1] != ' ';
        text_append(out, named ? "" : "NULL");
    } else if (!trace_has_value(s->kind)) {
        describe_woken(t, s, out);
    } else if (operation_shows(s->kind, SHOWS_SUCCESS)) {
        describe_success(t, s, out);
    } else if (operation_shows(s->kind, SHOWS_TURN)) {
        text_append(out, s->value ? " (runs it)" : " (done before)");
    } else if (s->wide || footprint_count(s->footprint) > 1) {
        describe_range(t, s, out);
    } else if (!s->lost) {
        text_append(out, operation_shows(s->kind, SHOWS_RESULT) ? " -> " : " = ");
        describe_value(t->target, s, s->value, out);
        describe_update(t, s, out);
    }
    uint32_t newer = trace_newer_write(t, index);
    if (newer != UINT32_MAX) {
        text_format(out, " (old; step %u is newer)", newer + 1);
    }
}

static void record_name(trace *t, trace_step *s) {
    text name = {0};
    name_subject(t->target, s->kind, s->object, s->footprint, &name);
    s->name = string_pool_add(&t->words, &t->words_starts, text_string(&name));
    text_free(&name);
}

/* Which thread a step creates may be known only afterwards. */
static bool is_named_before(const trace_step *s) {
    return !operation_shows(s->kind, SHOWS_THREAD);
}

void trace_words_before(trace *t, trace_step *s) {
    if (!t->wordless && is_named_before(s)) {
        record_name(t, s);
    }
}

static void name_missing(trace *t, trace_step *s) {
    const target_class *class = t->target->class;
    text name = {0};
    collected c;
    collect(&c);
    bool known = class->describe_missing &&
                 class->describe_missing(t->target, s->object, s->location,
                                         operation_has_role(s->kind, ROLE_WRITES), c.stream);
    if (append_collected(&c, known, &name)) {
        s->name = string_pool_add(&t->words, &t->words_starts, text_string(&name));
    }
    text_free(&name);
}

void trace_words_after(trace *t, uint32_t index) {
    trace_step *s = &vector_at(&t->steps, index);
    text words = {0};
    if (t->wordless) {
        return;
    }
    if (!is_named_before(s)) {
        record_name(t, s);
    }
    if (s->missed) {
        name_missing(t, s);
    }
    describe_step(t, index, &words);
    s->description = string_pool_add(&t->words, &t->words_starts, text_string(&words));
    if (s->after_known) {
        text_clear(&words);
        describe_value(t->target, s, s->after, &words);
        s->after_words = string_pool_add(&t->words, &t->words_starts, text_string(&words));
    }
    text_free(&words);
}
