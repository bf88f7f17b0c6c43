#include "report/trace.h"

#include <string.h>

#include "report/trace_happens.h"
#include "report/trace_words.h"

void trace_free(trace *t) {
    for (uint32_t i = 0; i < t->errors.count; i++) {
        text_free(&vector_at(&t->errors, i).message);
    }
    vector_free(&t->errors);
    vector_free(&t->steps);
    execution_free(&t->execution);
    trace_happens_free(t->happens);
    vector_free(&t->waits);
    text_free(&t->words);
    hash_index_free(&t->words_starts);
}

static call_stack find_stack(const trace *t, uint32_t thread) {
    const target_class *class = t->target->class;
    call_stack found = {0};
    if (class->call_stack && !t->wordless && thread < class->thread_count(t->target)) {
        found.count = class->call_stack(t->target, thread, found.locations, TRACE_MOST_CALLS);
    }
    return found;
}

/* A thread continues after some errors, such as a race: then its place is that of its operation. */
static call_stack stack_of_error(const trace *t, const program_error *error) {
    const trace_step *last = t->steps.count ? &vector_last(&t->steps) : NULL;
    bool own = last && last->step.thread == error->thread && last->location == error->location;
    return own && t->before.count ? t->before : find_stack(t, error->thread);
}

static void record_error(trace *t, const program_error *error) {
    trace_error e = {.kind = error->kind,
                     .thread = error->thread,
                     .location = error->location,
                     .relation_count = error->relation_count};
    memcpy(e.relations, error->relations, sizeof e.relations);
    text_append(&e.message, error->message ? error->message : error_word(error->kind));
    e.stack = stack_of_error(t, error);
    vector_push(&t->errors, e);
}

void trace_init(trace *t, target *target, enum target_accesses accesses) {
    *t = (trace){.target = target, .selected = ERROR_NONE};
    execution_init(&t->execution);
    string_pool_add(&t->words, &t->words_starts, "");
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
        case STEP_WITHOUT_THREAD: return "the thread does not exist yet";
        case STEP_AFTER_END: return "the thread has ended or is stopped";
        case STEP_BLOCKED: return "the thread cannot continue here";
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

/* The only access; of a copy, the one that writes. */
static bool main_access(footprint f, memory_access *main) {
    uint32_t count = footprint_count(f), found = 0;
    for (uint32_t i = 0; i < count; i++) {
        memory_access a = footprint_access(f, i);
        if (count == 1 || a.mode & ACCESS_WRITE) {
            *main = a;
            found++;
        }
    }
    return found == 1;
}

bool trace_variable(const trace_step *s, memory_access *a) {
    if (!trace_has_value(s->kind) || !operation_is_access(s->kind) ||
        !main_access(s->footprint, a)) {
        return false;
    }
    return a->bytes && (a->mode & ~(ACCESS_READ | ACCESS_WRITE)) == 0;
}

static uint32_t bytes_of_mode(footprint f, uint8_t mask, uint8_t mode) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        bytes += (a.mode & mask) == mode ? (uint32_t)__builtin_popcount(a.bytes) : 0;
    }
    return bytes;
}

/* The bytes of memory that a step writes or, if it writes nothing, reads, if they are more than a
 * value has; else 0. A struct may have locks in it, which the step reads and writes if earlier
 * executions have found them: they do not count beside what is only written (or read). */
static uint32_t wide_bytes(const target *target, const trace_step *s) {
    bool writes = operation_has_role(s->kind, ROLE_WRITES);
    if (!target->class->describe_value || !(writes || operation_has_role(s->kind, ROLE_READS))) {
        return 0;
    }
    uint8_t mode = writes ? ACCESS_WRITE : ACCESS_READ;
    uint32_t bytes = bytes_of_mode(s->footprint, ACCESS_READ_WRITE, mode);
    bytes = bytes ? bytes : bytes_of_mode(s->footprint, mode, mode);
    return bytes > sizeof s->value ? bytes : 0;
}

/* The value that a step with one variable leaves there. */
static void look_after(const trace *t, trace_step *s) {
    const target_class *class = t->target->class;
    memory_access a = {0};
    s->wide = wide_bytes(t->target, s);
    s->after_known = class->value && !s->missed && !s->lost && trace_variable(s, &a);
    s->writes = (a.mode & ACCESS_WRITE) != 0;
    if (s->after_known) {
        s->after = seen_value(class->value(t->target, a.object), a.bytes);
    }
}

/* Which step a read comes after depends on the version that it reads, if there are any. */
static void begin_step(trace *t, step taken, const operation *pending) {
    if (!t->target->versions || t->wordless) {
        CHECK(!t->happens);
        execution_append(&t->execution, taken.thread, taken.choice, pending);
        return;
    }
    if (!t->happens) {
        CHECK(!t->steps.count);
        t->happens = trace_happens_create();
    }
    trace_happens_note(t->happens, pending);
}

static footprint accessed(const trace *t, uint32_t thread, const operation *pending) {
    const target_class *class = t->target->class;
    return class->accessed ? class->accessed(t->target, thread) : pending->footprint;
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
                    .footprint = accessed(t, taken.thread, pending)};
    step_result result = {0};
    if (t->watch && t->watch->before_step) {
        t->watch->before_step(t->watch->context, t, taken);
    }
    trace_words_before(t, &s);
    t->before = (call_stack){0};
    if (t->steps.count + 1 >= t->expected && t->expected) {
        t->before = find_stack(t, taken.thread);
    }
    begin_step(t, taken, pending);
    t->target->class->step(t->target, taken.thread, taken.choice, &result);
    s.value = result.value;
    s.acquired = result.acquired;
    s.lost = result.lost;
    s.failed = result.error != NULL;
    s.missed = s.failed && result.error->missed;
    look_after(t, &s);
    vector_push(&t->steps, s);
    if (t->happens) {
        trace_happens_append(t);
    }
    trace_words_after(t, t->steps.count - 1);
    for (const program_error *error = result.error; error; error = error->next) {
        record_error(t, error);
    }
    return true;
}

static bool ends_in_deadlock(const trace *t) {
    return t->maximal && t->waits.count && ending_is_stuck(t->ending);
}

static uint32_t awaited_object(const trace *t, uint32_t thread, const operation *o) {
    bool spins = o->flags & OPERATION_SPINS && t->target->class->polled;
    uint32_t polled = spins ? t->target->class->polled(t->target, thread) : 0;
    return polled ? polled : o->object;
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
                                                .object = awaited_object(t, thread, o),
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

/* A thread whose next access belongs to the step before it. */
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
    t->expected = count;
    for (uint32_t i = 0; i < count; i++) {
        take_possible(t, steps[i]);
    }
    trace_finish(t);
}

/* Pauses are for the explorer. */
static bool is_shown(const trace_step *s) {
    return !operation_has_role(s->kind, ROLE_YIELDS);
}

static void copy_steps(const trace *t, step_list *steps) {
    vector_clear(steps);
    for (uint32_t i = 0; i < t->steps.count; i++) {
        if (is_shown(&vector_at(&t->steps, i))) {
            vector_push(steps, vector_at(&t->steps, i).step);
        }
    }
}

static uint32_t count_shown(const trace *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->steps.count; i++) {
        count += is_shown(&vector_at(&t->steps, i));
    }
    return count;
}

/* When accesses in passing become steps: right after the step that they belong to; as late as
 * possible, before the next step of their thread, so that there are fewer switches; or the same,
 * but at the latest before the last step, which may race with one of them. */
enum expansion { EXPANSION_LATE, EXPANSION_BEFORE_LAST, EXPANSION_EARLY };

static void take_passing_of(trace *t, uint32_t thread) {
    const target_class *class = t->target->class;
    const operation *o;
    while (thread < class->thread_count(t->target) && (o = class->pending(t->target, thread)) &&
           o->flags & OPERATION_PASSING) {
        take_possible(t, (step){thread, CHOICE_NONE});
    }
}

/* Takes the accesses that have to come before the step. */
static void prepare_step(trace *t, step next) {
    const operation *pending;
    take_passing_of(t, next.thread);
    if (target_find_obstacle(t->target, next, &pending) != STEP_POSSIBLE) {
        trace_take_passing(t, NULL);
    }
}

/* Returns what the first `marked` steps are then. */
static uint32_t expand(trace *t, const step_list *steps, const trace_error *until, uint32_t marked,
                       enum expansion when) {
    uint32_t mark = marked;
    trace_init(t, t->target, ACCESSES_SHOWN);
    t->wordless = true;
    for (uint32_t i = 0; i < steps->count; i++) {
        bool last = i + 1 == steps->count;
        if (when == EXPANSION_EARLY || (last && when == EXPANSION_BEFORE_LAST)) {
            trace_take_passing(t, NULL);
        }
        prepare_step(t, vector_at(steps, i));
        take_possible(t, vector_at(steps, i));
        mark = marked == i + 1 ? count_shown(t) : mark;
    }
    trace_take_passing(t, until);
    return mark;
}

/* The error occurred, alone, or is one of the end. */
static bool is_expanded(const trace *t, const trace_error *wanted) {
    bool at_end = error_is_stuck(wanted->kind) || wanted->kind == ERROR_LEAK;
    return at_end ? !t->errors.count : t->errors.count == 1 && has_error(t, wanted);
}

void trace_expand(target *target, step_list *steps, const trace_error *until, uint32_t *marked) {
    enum expansion when = target->versions ? EXPANSION_LATE : EXPANSION_EARLY;
    uint32_t mark = *marked;
    if (target->spins) {
        return;
    }
    for (bool done = false; !done; when++) {
        trace t = {.target = target};
        mark = expand(&t, steps, until, *marked, when);
        done = when == EXPANSION_EARLY || is_expanded(&t, until);
        if (done) {
            copy_steps(&t, steps);
        }
        trace_free(&t);
    }
    *marked = mark;
    target->class->treat_accesses(target, ACCESSES_ARE_STEPS);
}
