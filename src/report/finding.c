#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

void finding_free(finding *f) {
    vector_free(&f->threads);
    vector_free(&f->roles);
    vector_free(&f->stack);
    vector_free(&f->shared);
    vector_free(&f->steps);
    vector_free(&f->edges);
    vector_free(&f->waits);
    vector_free(&f->relations);
    vector_free(&f->remarks);
    vector_free(&f->places);
    text_free(&f->pool);
    *f = (finding){0};
}

void finding_remark(finding *f, const char *sentence) {
    if (*sentence) {
        CHECK(text_length(&f->pool) && !vector_last(&f->pool.characters));
        vector_push(&f->remarks, text_length(&f->pool));
        text_append_clean(&f->pool, sentence);
        text_append_bytes(&f->pool, "", 1);
    }
}

bool finding_locate(const finding *f, uint32_t place, const char **file, uint32_t *line) {
    if (place == 0 || place >= f->places.count) {
        return false;
    }
    *file = path_shown(finding_text(f, vector_at(&f->places, place).file));
    *line = vector_at(&f->places, place).line;
    return true;
}

uint32_t finding_column(const finding *f, uint32_t place) {
    return place < f->places.count ? vector_at(&f->places, place).column : 0;
}

void finding_describe_place(const finding *f, uint32_t place, text *out) {
    const char *file;
    uint32_t line;
    if (!f->nameless && finding_locate(f, place, &file, &line)) {
        text_format(out, "%s:%u", file, line);
    }
}

void finding_describe_position(const finding *f, uint32_t place, text *out) {
    const char *file;
    uint32_t line, column = finding_column(f, place);
    if (finding_locate(f, place, &file, &line)) {
        text_format(out, "%s:%u", file, line);
        if (column) {
            text_format(out, ":%u", column);
        }
    }
}

/* Most likely an address, and not a number that people count with. */
static bool is_address(uint64_t value) {
    return value >= (uint64_t)1 << 40 && value < (uint64_t)1 << 48;
}

/* Several characters that were accessed at once, too many to be a number that people count with. */
static bool is_string(uint64_t value, char *characters) {
    uint32_t length = 0;
    memcpy(characters, &value, sizeof value);
    characters[sizeof value] = '\0';
    while (characters[length] >= ' ' && characters[length] <= '~' && characters[length] != '"') {
        length++;
    }
    return length >= 6 && (length == sizeof value || value >> 8 * length == 0);
}

static void describe_value(uint64_t value, text *out) {
    char characters[sizeof value + 1];
    if (is_string(value, characters)) {
        text_format(out, "\"%s\"", characters);
    } else if (is_address(value)) {
        text_format(out, "0x%llx", (unsigned long long)value);
    } else {
        text_format(out, "%lld", (long long)value);
    }
}

void finding_describe_step(const finding *f, uint32_t step, text *out) {
    const finding_step *s = &vector_at(&f->steps, step);
    const char *words = finding_text(f, s->description);
    size_t length = strlen(words), digits = 0;
    while (digits < length && words[length - 1 - digits] >= '0' &&
           words[length - 1 - digits] <= '9') {
        digits++;
    }
    char characters[sizeof s->value + 1];
    bool bare = digits && digits < length && words[length - 1 - digits] == ' ' &&
                strtoull(words + length - digits, NULL, 10) == s->value;
    if (s->valued && bare && (is_address(s->value) || is_string(s->value, characters))) {
        text_append_bytes(out, words, (uint32_t)(length - digits));
        describe_value(s->value, out);
    } else {
        text_append(out, words);
    }
}

bool finding_decides(const finding *f, uint32_t step) {
    return f->doomed != FINDING_NO_STEP && f->doomed == step + 1 && f->doomed < f->steps.count;
}

bool finding_is_about(const finding *f, uint32_t step) {
    bool found = false;
    for (uint32_t i = 0; i < f->relations.count; i++) {
        found = found || vector_at(&f->relations, i).step == step;
    }
    return found;
}

bool finding_is_bug(const finding *f) {
    return f->end != FINDING_NOTHING && f->kind != ERROR_UNSUPPORTED && f->kind != ERROR_UNFINISHED;
}

/* Messages of abstract programs and about memory that was never written name the thread, and those
 * of races both; others are about no thread. */
static bool has_thread_to_name(const finding *f) {
    return f->thread < f->threads.count && f->end == FINDING_ERROR && f->kind != ERROR_DATA_RACE &&
           f->kind != ERROR_LEAK && f->kind != ERROR_UNFINISHED && f->kind != ERROR_UNINITIALISED &&
           !strstr(finding_text(f, f->message), " in thread ");
}

void finding_headline(const finding *f, text *out) {
    const char *message = finding_text(f, f->message);
    text_append(out, message);
    if (has_thread_to_name(f)) { /* "assertion failed: x, in function" */
        text_format(out, strstr(message, ", in ") ? ", thread %s" : ", in thread %s",
                    finding_thread(f, f->thread));
    }
}

bool finding_ends_elsewhere(const finding *f) {
    if (f->end != FINDING_ERROR || f->kind == ERROR_DATA_RACE || f->kind == ERROR_LEAK ||
        !f->place || !f->steps.count || f->thread >= f->threads.count) {
        return false;
    }
    const finding_step *last = &vector_last(&f->steps);
    const finding_place *there = &vector_at(&f->places, last->place),
                        *here = &vector_at(&f->places, f->place);
    bool same = last->step.thread == f->thread && there->line == here->line &&
                there->file == here->file && there->function == here->function;
    return !same || f->kind == ERROR_DOUBLE_FREE || f->kind == ERROR_INVALID_FREE;
}

/* ---- to bytes ---- */

static void put_pool(const finding *f, bytes *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < text_length(&f->pool); i++) {
        count += vector_at(&f->pool.characters, i) == '\0';
    }
    bytes_put_number(out, count);
    for (uint32_t i = 0; i < text_length(&f->pool); i++) {
        bytes_put_string(out, finding_text(f, i));
        while (vector_at(&f->pool.characters, i)) {
            i++;
        }
    }
}

static void put_strings(bytes *out, const finding_string *items, uint32_t count) {
    bytes_put_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        bytes_put_number(out, items[i]);
    }
}

static void put_places(const finding *f, bytes *out) {
    bytes_put_number(out, f->places.count);
    for (uint32_t i = 0; i < f->places.count; i++) {
        const finding_place *p = &vector_at(&f->places, i);
        bytes_put_number(out, p->file);
        bytes_put_number(out, p->function);
        bytes_put_number(out, p->line);
        bytes_put_number(out, p->column);
    }
}

/* CHOICE_NONE, by far the most frequent, becomes 0. */
static void put_step(const finding_step *s, bytes *out) {
    bytes_put_number(out, s->step.thread);
    bytes_put_number(out, (uint32_t)(s->step.choice - CHOICE_NONE));
    bytes_put_number(out, s->kind);
    bytes_put_number(out,
                     (uint64_t)(s->acquired | s->failed << 1 | s->valued << 2 | s->writes << 3 |
                                s->after_known << 4 | s->ordered << 5 | s->order << 6));
    bytes_put_number(out, s->object);
    bytes_put_number(out, s->name);
    bytes_put_number(out, s->description);
    bytes_put_number(out, s->after_words);
    bytes_put_number(out, s->place);
    bytes_put_number(out, s->value);
    bytes_put_number(out, s->after);
}

static void put_wait(const finding_wait *w, bytes *out) {
    bytes_put_number(out, w->thread);
    bytes_put_number(out, w->kind);
    bytes_put_number(out, w->object);
    bytes_put_number(out, w->name);
    bytes_put_number(out, w->place);
}

/* UINT32_MAX, which means none, becomes 0. */
static void put_optional(bytes *out, uint32_t number) {
    bytes_put_number(out, number + 1);
}

static void put_relation(const finding_relation *r, bytes *out) {
    bytes_put_number(out, r->what);
    bytes_put_number(out, r->thread);
    bytes_put_number(out, r->place);
    put_optional(out, r->step);
}

void finding_encode(const finding *f, bytes *out) {
    put_pool(f, out);
    put_places(f, out);
    put_strings(out, f->threads.items, f->threads.count);
    put_strings(out, f->roles.items, f->roles.count);
    put_strings(out, f->stack.items, f->stack.count);
    put_strings(out, f->shared.items, f->shared.count);
    bytes_put_number(out, f->end);
    bytes_put_number(out, f->nameless);
    bytes_put_number(out, f->bare);
    bytes_put_number(out, f->kind);
    bytes_put_number(out, f->message);
    bytes_put_number(out, f->ending);
    bytes_put_number(out, f->place);
    put_optional(out, f->thread);
    bytes_put_number(out, f->count);
    bytes_put_number(out, f->steps.count);
    for (uint32_t i = 0; i < f->steps.count; i++) {
        put_step(&vector_at(&f->steps, i), out);
    }
    bytes_put_number(out, f->edges.count);
    for (uint32_t i = 0; i < f->edges.count; i++) {
        bytes_put_number(out, vector_at(&f->edges, i).before);
        bytes_put_number(out, vector_at(&f->edges, i).after);
        bytes_put_number(out, vector_at(&f->edges, i).reads_only);
    }
    bytes_put_number(out, f->waits.count);
    for (uint32_t i = 0; i < f->waits.count; i++) {
        put_wait(&vector_at(&f->waits, i), out);
    }
    put_optional(out, f->doomed);
    bytes_put_number(out, f->relations.count);
    for (uint32_t i = 0; i < f->relations.count; i++) {
        put_relation(&vector_at(&f->relations, i), out);
    }
    put_strings(out, f->remarks.items, f->remarks.count);
}

/* ---- from bytes ---- */

/* Strings keep their places in the pool only if cleaning has changed none: the sender's pool
 * consists of clean strings (finding_of_trace ensures that), and any other is refused below. */
static void take_pool(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        bytes_take_string(r, &f->pool);
        text_append_bytes(&f->pool, "", 1);
    }
}

/* The number of a string: 0, or right after the NUL of another. */
static finding_string take_string(finding *f, byte_reader *r) {
    uint32_t length = text_length(&f->pool);
    finding_string s = (finding_string)bytes_take_number(r, length ? length - 1 : 0);
    if (s && vector_at(&f->pool.characters, s - 1)) {
        r->failed = true;
        return 0;
    }
    return s;
}

static uint32_t take_place(const finding *f, byte_reader *r) {
    return (uint32_t)bytes_take_number(r, f->places.count ? f->places.count - 1 : 0);
}

static uint32_t take_thread(const finding *f, byte_reader *r) {
    uint32_t thread = (uint32_t)bytes_take_number(r, UINT32_MAX);
    r->failed = r->failed || thread >= f->threads.count;
    return thread;
}

/* A number below `count`, or none. */
static uint32_t take_optional(byte_reader *r, uint32_t count) {
    return (uint32_t)bytes_take_number(r, count) - 1;
}

static void take_places(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        finding_place p = {.file = take_string(f, r), .function = take_string(f, r)};
        p.line = (uint32_t)bytes_take_number(r, UINT32_MAX);
        p.column = (uint32_t)bytes_take_number(r, UINT32_MAX);
        vector_push(&f->places, p);
    }
}

static void take_names(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->threads, take_string(f, r));
    }
    count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->roles, take_string(f, r));
    }
    count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->stack, take_place(f, r));
    }
    count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->shared, take_string(f, r));
    }
}

static void take_head(finding *f, byte_reader *r) {
    f->end = (enum finding_end)bytes_take_number(r, FINDING_END_COUNT - 1);
    f->nameless = bytes_take_flag(r);
    f->bare = bytes_take_flag(r);
    f->kind = (enum error_kind)bytes_take_number(r, ERROR_KIND_COUNT - 1);
    f->message = take_string(f, r);
    f->ending = take_string(f, r);
    f->place = take_place(f, r);
    f->thread = take_optional(r, f->threads.count);
    f->count = bytes_take_number(r, UINT64_MAX);
    r->failed = r->failed || (f->end == FINDING_DEADLOCK && !error_is_stuck(f->kind));
}

static void take_steps(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        finding_step s = {.step.thread = take_thread(f, r)};
        s.step.choice = (uint32_t)bytes_take_number(r, UINT32_MAX) + CHOICE_NONE;
        s.kind = (uint8_t)bytes_take_number(r, OPERATION_KIND_COUNT - 1);
        uint64_t flags = bytes_take_number(r, ACCESS_ORDER_COUNT << 6);
        s.acquired = flags & 1;
        s.failed = flags & 2;
        s.valued = flags & 4;
        s.writes = flags & 8;
        s.after_known = flags & 16;
        s.ordered = flags & 32;
        s.order = (uint8_t)(flags >> 6);
        r->failed = r->failed || s.order >= ACCESS_ORDER_COUNT;
        s.object = (uint32_t)bytes_take_number(r, UINT32_MAX);
        s.name = take_string(f, r);
        s.description = take_string(f, r);
        s.after_words = take_string(f, r);
        s.place = take_place(f, r);
        s.value = bytes_take_number(r, UINT64_MAX);
        s.after = bytes_take_number(r, UINT64_MAX);
        vector_push(&f->steps, s);
    }
}

static void take_edges(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        finding_edge e = {.before = (uint32_t)bytes_take_number(r, UINT32_MAX)};
        e.after = (uint32_t)bytes_take_number(r, UINT32_MAX);
        e.reads_only = bytes_take_number(r, 1);
        r->failed = r->failed || e.before >= e.after || e.after >= f->steps.count;
        vector_push(&f->edges, e);
    }
}

static void take_waits(finding *f, byte_reader *r) {
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        finding_wait w = {.thread = take_thread(f, r)};
        w.kind = (uint8_t)bytes_take_number(r, OPERATION_KIND_COUNT - 1);
        w.object = (uint32_t)bytes_take_number(r, UINT32_MAX);
        w.name = take_string(f, r);
        w.place = take_place(f, r);
        vector_push(&f->waits, w);
    }
}

static void take_relations(finding *f, byte_reader *r) {
    f->doomed = take_optional(r, f->steps.count + 1);
    uint32_t count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        finding_relation made = {.what = take_string(f, r), .thread = take_thread(f, r)};
        made.place = take_place(f, r);
        made.step = take_optional(r, f->steps.count);
        vector_push(&f->relations, made);
    }
    count = bytes_take_count(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        vector_push(&f->remarks, take_string(f, r));
    }
}

bool finding_decode(finding *f, byte_reader *r) {
    *f = (finding){0};
    take_pool(f, r);
    take_places(f, r);
    take_names(f, r);
    take_head(f, r);
    take_steps(f, r);
    take_edges(f, r);
    take_waits(f, r);
    take_relations(f, r);
    if (r->failed) {
        finding_free(f);
    }
    return !r->failed;
}
