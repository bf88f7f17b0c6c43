#include "report/collector.h"

#include <stdlib.h>
#include <string.h>

#include "base/witness.h"
#include "report/finding_trace.h"
#include "report/first_run.h"
#include "report/trace.h"

static collector *of(sink *s) {
    return (collector *)s;
}

static void executed(sink *s, const exploration *e, enum target_ending ending) {
    growth_note(&of(s)->growth, &e->execution);
    if (ending == ENDING_ARTIFACT) {
        own_status.counters.artifacts++;
        return;
    }
    of(s)->remaining--;
    own_status.counters.executions++;
    own_status.counters.assume_blocked += ending == ENDING_ASSUME_BLOCKED;
    own_status.counters.deadlocks += ending_is_stuck(ending);
}

static void redundant(sink *s, const exploration *e) {
    (void)s, (void)e;
    own_status.counters.blocked++;
}

static void pruned(sink *s, const exploration *e) {
    (void)s, (void)e;
    own_status.counters.pruned++;
}

static int compare_places(const void *a, const void *b) {
    const blocked_place *left = a, *right = b;
    if (left->location != right->location) {
        return left->location < right->location ? -1 : 1;
    }
    return left->object < right->object ? -1 : left->object > right->object;
}

void found_error_sort_places(found_error *f) {
    if (f->places.count) {
        qsort(f->places.items, f->places.count, sizeof *f->places.items, compare_places);
    }
}

/* What waits where, regardless of the threads' numbers. */
void found_error_collect_places(found_error *f, target *target) {
    for (uint32_t t = 0; t < target->class->thread_count(target); t++) {
        const operation *o = target->class->pending(target, t);
        if (o && !operation_enabled(o)) {
            uint32_t is_thread = operation_shows(o->kind, SHOWS_THREAD);
            vector_push(&f->places, (blocked_place){o->location, o->object, is_thread});
        }
    }
    found_error_sort_places(f);
}

/* An access "write by T1 at bank.c:7", without its thread. */
static void append_access(text *out, const char *access, const char *end) {
    const char *by = strstr(access, " by "), *at = by ? strstr(by, " at ") : NULL;
    if (at && at < end) {
        text_append_bytes(out, access, (uint32_t)(by - access));
        text_append_bytes(out, at, (uint32_t)(end - at));
    } else {
        text_append_bytes(out, access, (uint32_t)(end - access));
    }
}

/* A message is "data race on x: ACCESS, ACCESS". */
void found_error_describe_race(const found_error *f, text *out) {
    const char *message = text_string(&f->message), *end = message + strlen(message);
    const char *first = strstr(message, ": "), *second = first ? strstr(first, ", ") : NULL;
    text one = {0}, other = {0};
    if (!second) {
        text_append(out, message);
        return;
    }
    append_access(&one, first + 2, second);
    append_access(&other, second + 2, end);
    bool swapped = strcmp(text_string(&one), text_string(&other)) > 0;
    text_append_bytes(out, message, (uint32_t)(first - message));
    text_format(out, ": %s, %s", text_string(swapped ? &other : &one),
                text_string(swapped ? &one : &other));
    text_free(&one);
    text_free(&other);
}

static bool is_same_race(const found_error *a, const found_error *b) {
    text one = {0}, other = {0};
    found_error_describe_race(a, &one);
    found_error_describe_race(b, &other);
    bool same = strcmp(text_string(&one), text_string(&other)) == 0;
    text_free(&one);
    text_free(&other);
    return same;
}

bool found_error_equal(const found_error *a, const found_error *b) {
    if (a->kind != b->kind || a->places.count != b->places.count) {
        return false;
    }
    if (error_is_stuck(a->kind)) {
        return a->places.count == 0 || memcmp(a->places.items, b->places.items,
                                              a->places.count * sizeof *a->places.items) == 0;
    }
    bool same_words = strcmp(text_string(&a->message), text_string(&b->message)) == 0;
    if (a->kind == ERROR_DATA_RACE) {
        return same_words || is_same_race(a, b);
    }
    return a->location == b->location && same_words;
}

static found_error *find(collector *c, const found_error *like) {
    for (uint32_t i = 0; i < c->errors.count; i++) {
        if (found_error_equal(&vector_at(&c->errors, i), like)) {
            return &vector_at(&c->errors, i);
        }
    }
    return NULL;
}

void found_error_free(found_error *f) {
    text_free(&f->message);
    text_free(&f->hint);
    vector_free(&f->places);
    vector_free(&f->steps);
}

static void record_steps(found_error *f, const execution *e) {
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *ev = execution_event(e, i);
        vector_push(&f->steps, (step){.thread = ev->thread, .choice = ev->choice});
    }
}

static bool error(sink *s, const exploration *e, const program_error *found) {
    collector *c = of(s);
    if (c->ignored & 1u << found->kind) {
        c->ignored_counts[found->kind]++;
        return true;
    }
    found_error f = {.kind = found->kind,
                     .thread = found->thread,
                     .location = found->location,
                     .passing = e->target->accesses == ACCESSES_IN_PASSING,
                     .doomed = FINDING_NO_STEP};
    text_append(&f.message, found->message ? found->message : error_word(found->kind));
    if (error_is_stuck(found->kind)) {
        found_error_collect_places(&f, e->target);
    }
    found_error *known = find(c, &f);
    if (known) {
        known->count++;
        found_error_free(&f);
    } else {
        f.count = 1;
        if (found->steps) {
            f.passing = false;
            vector_append(&f.steps, found->steps, found->step_count);
        } else {
            record_steps(&f, &e->execution);
        }
        vector_push(&c->errors, f);
        if (c->notice) {
            c->notice(c->context, &f, e->target);
        }
    }
    return c->keep_going && found->kind != ERROR_UNSUPPORTED;
}

static const sink_class collector_class = {
    .executed = executed,
    .redundant = redundant,
    .pruned = pruned,
    .error = error,
};

void collector_init(collector *c, bool keep_going) {
    *c = (collector){
        .sink.class = &collector_class, .keep_going = keep_going, .remaining = UINT64_MAX};
    own_status.counters = (counters){0};
}

bool collector_is_intact(const collector *c) {
    return c->remaining == UINT64_MAX - own_status.counters.executions;
}

void collector_forget_errors(collector *c) {
    for (uint32_t i = 0; i < c->errors.count; i++) {
        found_error_free(&vector_at(&c->errors, i));
    }
    vector_clear(&c->errors);
}

void collector_free(collector *c) {
    collector_forget_errors(c);
    vector_free(&c->errors);
}

void found_error_bare_finding(const found_error *f, target *target, finding *result) {
    trace_error error = {
        .kind = f->kind, .thread = f->thread, .location = f->location, .message = f->message};
    finding_of_steps(result, target, &error, f->steps.items, f->steps.count);
}

void found_error_expand(found_error *f, target *target) {
    trace_error expected = {
        .kind = f->kind, .thread = f->thread, .location = f->location, .message = f->message};
    if (target->spins) { /* its steps stay what they were, for example those of a look ahead */
        target->accesses = f->passing ? ACCESSES_IN_PASSING : ACCESSES_ARE_STEPS;
    }
    if (f->kind == ERROR_UNINITIALISED && !f->adapted) {
        first_run_adapt(target, &f->steps);
        f->adapted = true;
    } else if (f->passing && !target->spins) {
        trace_expand(target, &f->steps, &expected, &f->doomed);
        f->passing = false;
    }
}

void found_error_finding(const found_error *f, target *target, finding *result) {
    trace t;
    text ending = {0};
    trace_error expected = {
        .kind = f->kind, .thread = f->thread, .location = f->location, .message = f->message};
    trace_run(&t, target, f->steps.items, f->steps.count);
    text_format(&ending, "%s %s", error_word(f->kind), text_string(&f->message));
    trace_select(&t, text_string(&ending));
    finding_of_trace(result, &t, &expected);
    result->count = f->count;
    result->doomed = f->doomed;
    finding_remark(result, text_string(&f->hint));
    text_free(&ending);
    trace_free(&t);
}
