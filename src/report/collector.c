#include "report/collector.h"

#include <stdlib.h>
#include <string.h>

#include "base/witness.h"
#include "report/finding_trace.h"
#include "report/trace.h"

static collector *of(sink *s) {
    return (collector *)s;
}

static void executed(sink *s, const exploration *e, enum target_ending ending) {
    (void)e;
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

/* What waits where, whichever threads it is. */
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

/* The next of these, or the end. */
static const char *find_end(const char *text, const char *mark) {
    const char *found = strstr(text, mark);
    return found ? found : text + strlen(text);
}

/* Two accesses "write by T1 at bank.c:7" are the same but for the threads. */
static bool is_same_access(const char *a, const char *a_end, const char *b, const char *b_end) {
    const char *a_by = find_end(a, " by "), *b_by = find_end(b, " by ");
    const char *a_at = find_end(a_by, " at "), *b_at = find_end(b_by, " at ");
    return a_by - a == b_by - b && memcmp(a, b, (size_t)(a_by - a)) == 0 && a_at < a_end &&
           b_at < b_end && a_end - a_at == b_end - b_at &&
           memcmp(a_at, b_at, (size_t)(a_end - a_at)) == 0;
}

/* A message "data race on x: ACCESS, ACCESS"; false: it has another form. */
static bool find_accesses(const char *message, const char **first, const char **second) {
    *first = strstr(message, ": ");
    *second = *first ? strstr(*first, ", ") : NULL;
    if (*second) {
        *first += 2;
        *second += 2;
    }
    return *second != NULL;
}

/* The same variable and places, whichever threads they were and whichever came first. */
static bool is_same_race(const char *a, const char *b) {
    const char *a1, *a2, *b1, *b2;
    if (strcmp(a, b) == 0 || !find_accesses(a, &a1, &a2) || !find_accesses(b, &b1, &b2)) {
        return strcmp(a, b) == 0;
    }
    const char *a_end = a + strlen(a), *b_end = b + strlen(b);
    return a1 - a == b1 - b && memcmp(a, b, (size_t)(a1 - a)) == 0 &&
           ((is_same_access(a1, a2 - 2, b1, b2 - 2) && is_same_access(a2, a_end, b2, b_end)) ||
            (is_same_access(a1, a2 - 2, b2, b_end) && is_same_access(a2, a_end, b1, b2 - 2)));
}

bool found_error_equal(const found_error *a, const found_error *b) {
    if (a->kind != b->kind || a->places.count != b->places.count) {
        return false;
    }
    if (error_is_stuck(a->kind)) {
        return a->places.count == 0 || memcmp(a->places.items, b->places.items,
                                              a->places.count * sizeof *a->places.items) == 0;
    }
    if (a->kind == ERROR_DATA_RACE) {
        return is_same_race(text_string(&a->message), text_string(&b->message));
    }
    return a->location == b->location &&
           strcmp(text_string(&a->message), text_string(&b->message)) == 0;
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
        record_steps(&f, &e->execution);
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
    if (f->passing) {
        trace_expand(target, &f->steps, &expected);
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
    text_free(&ending);
    trace_free(&t);
}
