#include "report/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/trace_source.h"

void trace_free(trace *t) {
    for (uint32_t i = 0; i < t->errors.count; i++) {
        text_free(&vector_at(&t->errors, i).message);
    }
    vector_free(&t->errors);
    vector_free(&t->steps);
    execution_free(&t->execution);
    vector_free(&t->waits);
}

static void record_error(trace *t, const program_error *error) {
    trace_error e = {.kind = error->kind,
                     .thread = error->thread,
                     .location = error->location,
                     .relation_count = error->relation_count};
    memcpy(e.relations, error->relations, sizeof e.relations);
    text_append(&e.message, error->message ? error->message : error_word(error->kind));
    vector_push(&t->errors, e);
}

void trace_init(trace *t, target *target, enum target_accesses accesses) {
    *t = (trace){.target = target, .selected = ERROR_NONE};
    execution_init(&t->execution);
    if (target->class->treat_accesses) {
        /* Where a thread waits in a spin loop depends on what a step is: as it was explored. */
        target->class->treat_accesses(target, target->spins ? target->accesses : accesses);
    }
    target->class->reset(target);
    const program_error *error;
    for (uint32_t i = 0; target->class->start_error; i++) {
        if (!(error = target->class->start_error(target, i))) {
            break;
        }
        record_error(t, error);
    }
}

/* Why `taken` is not possible now; NULL if it is. */
static const char *obstacle(target *target, step taken, const operation **pending) {
    switch (target_find_obstacle(target, taken, pending)) {
        case STEP_POSSIBLE: return NULL;
        case STEP_WITHOUT_THREAD: return "there is no such thread yet";
        case STEP_AFTER_END: return "the thread has ended or is stopped";
        case STEP_BLOCKED: return "the thread cannot go on here";
        case STEP_WITHOUT_CHOICE: return "its operation has no such choice";
    }
    CHECK(!"obstacle");
    return NULL;
}

/* The bytes of a value that an access sees, as a signed number. */
static uint64_t seen_value(uint64_t value, uint8_t bytes) {
    unsigned first = (unsigned)__builtin_ctz(bytes), size = (unsigned)__builtin_popcount(bytes);
    unsigned unused = 64 - 8 * size;
    return (uint64_t)((int64_t)(value >> 8 * first << unused) >> unused);
}

/* The only variable that a step accesses, if it has read or written its value. */
static bool variable_of(const trace_step *s, memory_access *a) {
    if (footprint_count(s->footprint) != 1 || !trace_has_value(s->kind) ||
        operation_has_role(s->kind, ROLE_TAKES)) {
        return false;
    }
    *a = footprint_access(s->footprint, 0);
    return a->bytes && (a->mode & ~(ACCESS_READ | ACCESS_WRITE)) == 0;
}

/* What a step of one variable leaves there. */
static void look_after(const trace *t, trace_step *s) {
    const target_class *class = t->target->class;
    memory_access a = {0};
    s->after_known = class->value && !s->missed && !s->lost && variable_of(s, &a);
    s->writes = (a.mode & ACCESS_WRITE) != 0;
    if (s->after_known) {
        s->after = seen_value(class->value(t->target, a.object), a.bytes);
    }
}

bool trace_take(trace *t, step taken, text *why) {
    const operation *pending = NULL;
    const char *reason = obstacle(t->target, taken, &pending);
    if (reason) {
        text_append(why, reason);
        return false;
    }
    trace_step s = {.step = taken,
                    .kind = pending->kind,
                    .object = pending->object,
                    .location = pending->location,
                    .order = pending->order,
                    .failure = pending->failure,
                    .footprint = pending->footprint};
    step_result result = {0};
    if (t->watch) {
        t->watch->before_step(t->watch->context, t, taken);
    }
    execution_append(&t->execution, taken.thread, taken.choice, pending);
    t->target->class->step(t->target, taken.thread, taken.choice, &result);
    s.value = result.value;
    s.acquired = result.acquired;
    s.lost = result.lost;
    s.failed = result.error != NULL;
    s.missed = s.failed && result.error->missed;
    look_after(t, &s);
    vector_push(&t->steps, s);
    for (const program_error *error = result.error; error; error = error->next) {
        record_error(t, error);
    }
    return true;
}

static bool ends_in_deadlock(const trace *t) {
    return t->maximal && t->waits.count && ending_is_stuck(t->ending);
}

void trace_finish(trace *t) {
    t->thread_count = t->target->class->thread_count(t->target);
    t->maximal = true;
    vector_clear(&t->waits);
    for (uint32_t thread = 0; thread < t->thread_count; thread++) {
        const operation *o = t->target->class->pending(t->target, thread);
        if (o && operation_enabled(o)) {
            t->maximal = false;
        } else if (o) {
            vector_push(&t->waits, (trace_wait){.thread = thread,
                                                .kind = operation_blocked_kind(o),
                                                .object = o->object,
                                                .location = o->location,
                                                .footprint = o->footprint});
        }
    }
    const program_error *error;
    t->ending = t->maximal ? t->target->class->ending(t->target) : ENDING_COMPLETE;
    bool complete = t->maximal && t->ending == ENDING_COMPLETE;
    for (uint32_t i = 0; complete && t->target->class->end_error; i++) {
        if (!(error = t->target->class->end_error(t->target, i))) {
            break;
        }
        record_error(t, error);
    }
    t->selected = t->errors.count && !ends_in_deadlock(t) ? t->errors.count - 1 : ERROR_NONE;
}

const trace_error *trace_selected(const trace *t) {
    return t->selected == ERROR_NONE ? NULL : &vector_at(&t->errors, t->selected);
}

enum error_kind trace_stuck_kind(const trace *t) {
    return t->ending == ENDING_LIVELOCK ? ERROR_LIVELOCK : ERROR_DEADLOCK;
}

bool trace_deadlocked(const trace *t) {
    return t->selected == ERROR_NONE && ends_in_deadlock(t);
}

void trace_ending(const trace *t, text *out) {
    const trace_error *error = trace_selected(t);
    if (error) {
        text_format(out, "%s %s", error_word(error->kind), text_string(&error->message));
    } else if (trace_deadlocked(t)) {
        text_append(out, error_word(trace_stuck_kind(t)));
    }
}

void trace_select(trace *t, const char *ending) {
    text name = {0};
    uint32_t before = t->selected;
    for (uint32_t i = t->errors.count; i-- > 0;) {
        t->selected = i;
        text_clear(&name);
        trace_ending(t, &name);
        if (strcmp(text_string(&name), ending) == 0) {
            text_free(&name);
            return;
        }
    }
    t->selected = before;
    text_free(&name);
}

/* A thread that stands before an access that belongs to the step before it. */
static bool find_passing(const trace *t, uint32_t preferred, uint32_t *thread) {
    const target_class *class = t->target->class;
    uint32_t count = class->thread_count(t->target);
    for (uint32_t i = 0; i <= count; i++) {
        *thread = i ? i - 1 : preferred;
        const operation *o = *thread < count ? class->pending(t->target, *thread) : NULL;
        if (o && o->flags & OPERATION_PASSING) {
            return true;
        }
    }
    return false;
}

static bool has_error(const trace *t, const trace_error *wanted) {
    for (uint32_t i = 0; wanted && i < t->errors.count; i++) {
        const trace_error *e = &vector_at(&t->errors, i);
        if (e->kind == wanted->kind &&
            strcmp(text_string(&e->message), text_string(&wanted->message)) == 0) {
            return true;
        }
    }
    return false;
}

/* A step that is known to be possible. */
static void take_possible(trace *t, step next) {
    text why = {0};
    bool taken = trace_take(t, next, &why);
    CHECK(taken);
    text_free(&why);
}

void trace_take_passing(trace *t, const trace_error *until) {
    uint32_t thread = t->steps.count ? vector_last(&t->steps).step.thread : 0;
    while (!has_error(t, until) && find_passing(t, thread, &thread)) {
        take_possible(t, (step){thread, CHOICE_NONE});
    }
}

void trace_run(trace *t, target *target, const step *steps, uint32_t count) {
    trace_init(t, target, ACCESSES_ARE_STEPS);
    for (uint32_t i = 0; i < count; i++) {
        take_possible(t, steps[i]);
    }
    trace_finish(t);
}

/* Pauses are for the explorer. */
static void copy_steps(const trace *t, step_list *steps) {
    vector_clear(steps);
    for (uint32_t i = 0; i < t->steps.count; i++) {
        if (!operation_has_role(vector_at(&t->steps, i).kind, ROLE_YIELDS)) {
            vector_push(steps, vector_at(&t->steps, i).step);
        }
    }
}

void trace_expand(target *target, step_list *steps, const trace_error *until) {
    trace t;
    if (target->spins) {
        return;
    }
    trace_init(&t, target, ACCESSES_SHOWN);
    trace_take_passing(&t, steps->count ? NULL : until);
    for (uint32_t i = 0; i < steps->count; i++) {
        take_possible(&t, vector_at(steps, i));
        trace_take_passing(&t, i + 1 == steps->count ? until : NULL);
    }
    copy_steps(&t, steps);
    target->class->treat_accesses(target, ACCESSES_ARE_STEPS);
    trace_free(&t);
}

/* Targets describe themselves into a stream; here it is needed as text. */
static void describe(target *target, void (*function)(struct target *, uint32_t, FILE *),
                     uint32_t number, text *out) {
    char *buffer = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&buffer, &size);
    CHECK(stream != NULL);
    function(target, number, stream);
    fclose(stream);
    text_append_bytes(out, buffer, (uint32_t)size);
    free(buffer);
}

void describe_thread(target *target, uint32_t thread, text *out) {
    describe(target, target->class->describe_thread, thread, out);
}

void describe_object(target *target, uint32_t object, text *out) {
    describe(target, target->class->describe_object, object, out);
}

static void describe_value(target *target, const trace_step *s, uint64_t value, text *out) {
    memory_access a;
    char *words = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&words, &size);
    CHECK(stream != NULL);
    bool known = target->class->describe_value && variable_of(s, &a) &&
                 target->class->describe_value(target, a, value, stream);
    fclose(stream);
    if (known) {
        text_append_bytes(out, words, (uint32_t)size);
    } else {
        text_format(out, "%" PRId64, (int64_t)value);
    }
    free(words);
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

/* The name of what a part belongs to: "q->head", "table[0].next", "heap block of 16 bytes + 0". */
static void describe_whole(target *target, uint32_t object, text *out) {
    static const char *const marks[] = {"->", ".", "[", " + "};
    text name = {0};
    describe_object(target, object, &name);
    const char *words = text_string(&name);
    words += *words == '*';
    size_t length = strlen(words);
    for (uint32_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(words, marks[i]);
        length = found && (size_t)(found - words) < length ? (size_t)(found - words) : length;
    }
    text_append_bytes(out, words, (uint32_t)length);
    text_free(&name);
}

static void name_subject(target *target, enum operation_kind kind, uint32_t object,
                         footprint touched, text *out) {
    if (operation_shows(kind, SHOWS_CELLS)) {
        describe_cells(target, touched, out);
    } else if (operation_shows(kind, SHOWS_THREAD)) {
        describe_thread(target, object, out);
    } else if (operation_shows(kind, SHOWS_WHOLE)) {
        describe_whole(target, object, out);
    } else if (operation_shows(kind, SHOWS_OBJECT)) {
        describe_object(target, object, out);
    }
}

void trace_name_object(const trace *t, uint32_t index, text *out) {
    const trace_step *s = &vector_at(&t->steps, index);
    name_subject(t->target, s->kind, s->object, s->footprint, out);
}

void trace_name_awaited(const trace *t, uint32_t index, text *out) {
    const trace_wait *w = &vector_at(&t->waits, index);
    name_subject(t->target, w->kind, w->object, w->footprint, out);
}

void trace_describe_after(const trace *t, uint32_t index, text *out) {
    const trace_step *s = &vector_at(&t->steps, index);
    describe_value(t->target, s, s->after, out);
}

/* "lock left" */
static void describe_deed(target *target, enum operation_kind kind, uint32_t object,
                          footprint touched, text *out) {
    text_append(out, operation_word(kind));
    if (operation_shows(kind, SHOWS_OBJECT | SHOWS_THREAD) ||
        (operation_shows(kind, SHOWS_CELLS) && footprint_count(touched))) {
        text_append(out, " ");
    }
    name_subject(target, kind, object, touched, out);
}

void describe_operation(target *target, const operation *o, text *out) {
    describe_deed(target, o->kind, o->object, o->footprint, out);
}

/* What it has written, or found instead of what it compares with. */
static void describe_success(const trace *t, const trace_step *s, text *out) {
    if (!s->after_known) {
        text_append(out, s->value ? " succeeded" : " failed");
        return;
    }
    text_append(out, s->value ? " = " : " failed: it is ");
    describe_value(t->target, s, s->after, out);
}

void trace_describe(const trace *t, uint32_t index, text *out) {
    const trace_step *s = &vector_at(&t->steps, index);
    describe_deed(t->target, s->kind, s->object, s->footprint, out);
    if (s->missed) {
        bool named = text_string(out)[text_length(out) - 1] != ' ';
        text_append(out, named ? "" : "NULL");
    } else if (!trace_has_value(s->kind)) {
        describe_woken(t, s, out);
    } else if (operation_shows(s->kind, SHOWS_SUCCESS)) {
        describe_success(t, s, out);
    } else if (!s->lost) {
        text_append(out, operation_shows(s->kind, SHOWS_RESULT) ? " -> " : " = ");
        describe_value(t->target, s, s->value, out);
    }
    uint32_t newer = trace_newer_write(t, index);
    if (newer != UINT32_MAX) {
        text_format(out, " (old; step %u is newer)", newer + 1);
    }
}
