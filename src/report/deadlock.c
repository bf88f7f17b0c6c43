#include "report/deadlock.h"

#define STEP_NONE UINT32_MAX

/* ---- what the trace tells ---- */

static bool releases(const trace_step *s) {
    return s->kind == OPERATION_UNLOCK || s->kind == OPERATION_WAIT_UNLOCK;
}

/* The step by which somebody came to hold the mutex, if it is held at the end. */
static uint32_t acquisition(const trace *t, uint32_t mutex) {
    for (uint32_t i = t->steps.count; i-- > 0;) {
        const trace_step *s = &t->steps.items[i];
        if (s->object == mutex && s->acquired) {
            return i;
        }
        if (s->object == mutex && releases(s)) {
            return STEP_NONE;
        }
    }
    return STEP_NONE;
}

/* The latest step of a thread, of some kind. */
static uint32_t latest(const trace *t, uint32_t thread, enum operation_kind kind) {
    for (uint32_t i = t->steps.count; i-- > 0;) {
        const trace_step *s = &t->steps.items[i];
        if (s->step.thread == thread && s->kind == kind) {
            return i;
        }
    }
    return STEP_NONE;
}

static bool wakes(const trace_step *s, uint32_t condition, uint32_t thread) {
    return s->object == condition && (s->kind == OPERATION_BROADCAST ||
                                      (s->kind == OPERATION_SIGNAL && s->step.choice == thread));
}

/* The wait from which a thread has not been woken; STEP_NONE if it waits for something else. */
static uint32_t unanswered_wait(const trace *t, const trace_wait *w) {
    if (w->kind != OPERATION_RELOCK) {
        return STEP_NONE;
    }
    uint32_t wait = latest(t, w->thread, OPERATION_WAIT);
    for (uint32_t i = wait; i < t->steps.count; i++) {
        if (wakes(&t->steps.items[i], t->steps.items[wait].object, w->thread)) {
            return STEP_NONE;
        }
    }
    return wait;
}

/* The last signal or broadcast of a condition. */
static uint32_t last_signal(const trace *t, uint32_t condition) {
    for (uint32_t i = t->steps.count; i-- > 0;) {
        const trace_step *s = &t->steps.items[i];
        if (s->object == condition &&
            (s->kind == OPERATION_SIGNAL || s->kind == OPERATION_BROADCAST)) {
            return i;
        }
    }
    return STEP_NONE;
}

static bool waits(const trace *t, uint32_t thread) {
    for (uint32_t i = 0; i < t->waits.count; i++) {
        if (t->waits.items[i].thread == thread) {
            return true;
        }
    }
    return false;
}

/* Whom a waiting thread waits for, if that is one certain thread. */
static uint32_t awaited_thread(const trace *t, const trace_wait *w) {
    if (w->kind == OPERATION_JOIN) {
        return w->object;
    }
    bool mutex = w->kind == OPERATION_LOCK || w->kind == OPERATION_RELOCK;
    uint32_t held =
        mutex && unanswered_wait(t, w) == STEP_NONE ? acquisition(t, w->object) : STEP_NONE;
    return held == STEP_NONE ? UINT32_MAX : t->steps.items[held].step.thread;
}

/* ---- in words: at length, with steps and places, if there is a source ---- */

/* " step 4 (dining.heddle:12)" */
static void say_step(const trace *t, const source *source, uint32_t index, text *out) {
    text place = {0};
    describe_place(source, t->target, t->steps.items[index].location, &place);
    text_format(out, " step %u", index + 1);
    if (text_length(&place)) {
        text_format(out, " (%s)", text_string(&place));
    }
    text_free(&place);
}

static void say_condition(const trace *t, uint32_t wait, const source *source, text *out) {
    uint32_t condition = t->steps.items[wait].object;
    text_append(out, " waits for a signal of ");
    describe_object(t->target, condition, out);
    if (!source) {
        return;
    }
    text_append(out, ", since its wait in");
    say_step(t, source, wait, out);
    uint32_t signal = last_signal(t, condition);
    if (signal == STEP_NONE) {
        text_append(out, "; there is none any more");
        return;
    }
    const trace_step *s = &t->steps.items[signal];
    text_append(out, signal < wait ? "; the last one came before, in" : "; the last one, in");
    say_step(t, source, signal, out);
    if (s->kind == OPERATION_SIGNAL && s->step.choice == CHOICE_NONE) {
        text_append(out, ", and was lost");
    } else if (s->kind == OPERATION_SIGNAL) {
        text_append(out, signal < wait ? ", and woke " : ", woke ");
        describe_thread(t->target, s->step.choice, out);
    }
}

static void say_mutex(const trace *t, const trace_wait *w, const source *source, text *out) {
    text_append(out, " waits for ");
    describe_object(t->target, w->object, out);
    uint32_t held = acquisition(t, w->object);
    if (held == STEP_NONE) {
        return;
    }
    uint32_t holder = t->steps.items[held].step.thread;
    text_append(out, ", held by ");
    if (holder == w->thread) {
        text_append(out, "itself");
    } else {
        describe_thread(t->target, holder, out);
    }
    if (source) {
        text_append(out, " since");
        say_step(t, source, held, out);
    }
    if (holder != w->thread && !waits(t, holder)) {
        text_append(out, ", which has ended");
    }
}

static void say_wait(const trace *t, const trace_wait *w, const source *source, text *out) {
    describe_thread(t->target, w->thread, out);
    uint32_t wait = unanswered_wait(t, w);
    if (wait != STEP_NONE) {
        say_condition(t, wait, source, out);
    } else if (w->kind == OPERATION_LOCK || w->kind == OPERATION_RELOCK) {
        say_mutex(t, w, source, out);
    } else if (w->kind == OPERATION_JOIN) {
        text_append(out, " waits for the end of ");
        describe_thread(t->target, w->object, out);
    } else if (w->kind == OPERATION_AWAIT) {
        text_append(out, " waits for a change of ");
        describe_object(t->target, w->object, out);
    } else {
        text_format(out, " waits in %s of ", operation_word(w->kind));
        describe_object(t->target, w->object, out);
    }
}

void deadlock_message(const trace *t, text *out) {
    text_append(out, "deadlock: ");
    for (uint32_t i = 0; i < t->waits.count; i++) {
        text_append(out, i ? "; " : "");
        say_wait(t, &t->waits.items[i], NULL, out);
    }
}

/* ---- the circle ---- */

static uint32_t follow(const trace *t, uint32_t thread) {
    for (uint32_t i = 0; i < t->waits.count; i++) {
        if (t->waits.items[i].thread == thread) {
            return awaited_thread(t, &t->waits.items[i]);
        }
    }
    return UINT32_MAX;
}

/* A thread on a circle of the wait-for relation: after as many steps along it as there are
   threads, one is on a circle or at an end. */
static uint32_t on_circle(const trace *t) {
    for (uint32_t i = 0; i < t->waits.count; i++) {
        uint32_t thread = t->waits.items[i].thread;
        for (uint32_t n = 0; n < t->thread_count && thread != UINT32_MAX; n++) {
            thread = follow(t, thread);
        }
        if (thread != UINT32_MAX) {
            return thread;
        }
    }
    return UINT32_MAX;
}

static void print_circle(const trace *t, FILE *out) {
    uint32_t first = on_circle(t);
    if (first == UINT32_MAX) {
        return;
    }
    text line = {0};
    text_append(&line, "  the circle: ");
    uint32_t thread = first;
    do {
        describe_thread(t->target, thread, &line);
        text_append(&line, " -> ");
        thread = follow(t, thread);
    } while (thread != first);
    describe_thread(t->target, first, &line);
    fprintf(out, "%s\n", text_string(&line));
    text_free(&line);
}

void deadlock_explain(const trace *t, const source *source, FILE *out) {
    text line = {0}, place = {0};
    for (uint32_t i = 0; i < t->waits.count; i++) {
        const trace_wait *w = &t->waits.items[i];
        text_clear(&line);
        text_clear(&place);
        say_wait(t, w, source, &line);
        describe_place(source, t->target, w->location, &place);
        fprintf(out, "  %s%s%s\n", text_string(&place), text_length(&place) ? ": " : "",
                text_string(&line));
    }
    print_circle(t, out);
    text_free(&line);
    text_free(&place);
}
