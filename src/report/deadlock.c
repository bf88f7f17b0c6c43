#include "report/deadlock.h"

#include <string.h>

#define STEP_NONE UINT32_MAX

/* ---- what follows from the steps ---- */

/* The step by which somebody came to hold the object, if it is held at the end. */
static uint32_t acquisition(const finding *f, uint32_t object) {
    for (uint32_t i = f->steps.count; i-- > 0;) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (s->object == object && s->acquired && operation_has_role(s->kind, ROLE_TAKES)) {
            return i;
        }
        if (s->object == object && operation_has_role(s->kind, ROLE_RELEASES)) {
            return STEP_NONE;
        }
    }
    return STEP_NONE;
}

/* The latest step of a thread that made it a waiter. */
static uint32_t latest_wait(const finding *f, uint32_t thread) {
    for (uint32_t i = f->steps.count; i-- > 0;) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (s->step.thread == thread && operation_has_role(s->kind, ROLE_WAITS)) {
            return i;
        }
    }
    return STEP_NONE;
}

static bool wakes(const finding_step *s, uint32_t condition, uint32_t thread) {
    return s->object == condition &&
           (operation_has_role(s->kind, ROLE_WAKES_ALL) ||
            (operation_has_role(s->kind, ROLE_WAKES_ONE) && s->step.choice == thread));
}

/* The wait from which a thread has not been woken; STEP_NONE if it waits for something else. */
static uint32_t unanswered_wait(const finding *f, const finding_wait *w) {
    if (!operation_has_role(w->kind, ROLE_RESUMES)) {
        return STEP_NONE;
    }
    uint32_t wait = latest_wait(f, w->thread);
    for (uint32_t i = wait; i < f->steps.count; i++) {
        if (wakes(&vector_at(&f->steps, i), vector_at(&f->steps, wait).object, w->thread)) {
            return STEP_NONE;
        }
    }
    return wait;
}

/* The last signal or broadcast of a condition. */
static uint32_t last_signal(const finding *f, uint32_t condition) {
    for (uint32_t i = f->steps.count; i-- > 0;) {
        const finding_step *s = &vector_at(&f->steps, i);
        if (s->object == condition &&
            operation_has_role(s->kind, ROLE_WAKES_ONE | ROLE_WAKES_ALL)) {
            return i;
        }
    }
    return STEP_NONE;
}

static bool waits(const finding *f, uint32_t thread) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        if (vector_at(&f->waits, i).thread == thread) {
            return true;
        }
    }
    return false;
}

/* Whom a waiting thread waits for, if that is one certain thread. */
static uint32_t awaited_thread(const finding *f, const finding_wait *w) {
    if (operation_shows(w->kind, SHOWS_THREAD)) {
        return w->object;
    }
    bool takes = operation_has_role(w->kind, ROLE_TAKES);
    uint32_t held =
        takes && unanswered_wait(f, w) == STEP_NONE ? acquisition(f, w->object) : STEP_NONE;
    return held == STEP_NONE ? UINT32_MAX : vector_at(&f->steps, held).step.thread;
}

/* ---- in words: at length, with steps and places, if `detailed` ---- */

/* " step 4 (dining.heddle:12)" */
static void describe_step(const finding *f, uint32_t index, text *out) {
    text place = {0};
    finding_describe_place(f, vector_at(&f->steps, index).place, &place);
    text_format(out, " step %u", index + 1);
    if (text_length(&place)) {
        text_format(out, " (%s)", text_string(&place));
    }
    text_free(&place);
}

/* `w` is the end of the wait that began in step `wait`: who locks a mutex then waits for a
 * condition, who does not for a futex. */
static void describe_waiter(const finding *f, const finding_wait *w, uint32_t wait, bool detailed,
                            text *out) {
    uint32_t condition = vector_at(&f->steps, wait).object;
    const char *waker = operation_has_role(w->kind, ROLE_TAKES) ? "signal" : "wake";
    text_format(out, " waits for a %s of ", waker);
    text_append(out, finding_text(f, vector_at(&f->steps, wait).name));
    if (!detailed) {
        return;
    }
    text_append(out, ", since its wait in");
    describe_step(f, wait, out);
    uint32_t signal = last_signal(f, condition);
    if (signal == STEP_NONE) {
        text_format(out, "; there is no later %s", waker);
        return;
    }
    const finding_step *s = &vector_at(&f->steps, signal);
    text_append(out, signal < wait ? "; the last one came before, in" : "; the last one, in");
    describe_step(f, signal, out);
    bool wakes_one = operation_has_role(s->kind, ROLE_WAKES_ONE);
    if (wakes_one && s->step.choice == CHOICE_NONE) {
        text_append(out, ", and was lost");
    } else if (wakes_one) {
        text_append(out, signal < wait ? ", and woke " : ", woke ");
        text_append(out, finding_thread(f, s->step.choice));
    }
}

static void describe_holder(const finding *f, const finding_wait *w, bool detailed, text *out) {
    uint32_t held = acquisition(f, w->object);
    if (held == STEP_NONE) {
        return;
    }
    uint32_t holder = vector_at(&f->steps, held).step.thread;
    text_append(out, ", held by ");
    if (holder == w->thread) {
        text_append(out, "itself");
    } else {
        text_append(out, finding_thread(f, holder));
    }
    if (detailed) {
        text_append(out, " since");
        describe_step(f, held, out);
    }
    if (holder != w->thread && !waits(f, holder)) {
        text_append(out, ", which has ended");
    }
}

static void describe_wait(const finding *f, const finding_wait *w, bool detailed, text *out) {
    text_append(out, finding_thread(f, w->thread));
    uint32_t wait = unanswered_wait(f, w);
    if (wait != STEP_NONE) {
        describe_waiter(f, w, wait, detailed, out);
        return;
    }
    const char *blocked = operation_table[w->kind].blocked, *name = finding_text(f, w->name);
    text_format(out, " %s ", !*name ? "is blocked in" : blocked ? blocked : "waits for");
    text_append(out, *name ? name : operation_word(w->kind));
    if (operation_has_role(w->kind, ROLE_TAKES)) {
        describe_holder(f, w, detailed, out);
    }
}

uint32_t deadlock_place(const finding *f) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        const finding_wait *w = &vector_at(&f->waits, i);
        if (!operation_shows(w->kind, SHOWS_THREAD)) {
            return w->place;
        }
    }
    return f->waits.count ? vector_at(&f->waits, 0).place : 0;
}

void deadlock_wait(const finding *f, uint32_t index, text *out) {
    const finding_wait *w = &vector_at(&f->waits, index);
    text sentence = {0};
    describe_wait(f, w, false, &sentence);
    size_t name = strlen(finding_thread(f, w->thread)) + 1;
    CHECK(name <= text_length(&sentence));
    text_append(out, text_string(&sentence) + name);
    text_free(&sentence);
}

void deadlock_message(const finding *f, text *out) {
    text_format(out, "%s: ", error_word(f->kind));
    for (uint32_t i = 0; i < f->waits.count; i++) {
        text_append(out, i ? "; " : "");
        describe_wait(f, &vector_at(&f->waits, i), false, out);
    }
}

/* ---- the cycle ---- */

static uint32_t follow(const finding *f, uint32_t thread) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        if (vector_at(&f->waits, i).thread == thread) {
            return awaited_thread(f, &vector_at(&f->waits, i));
        }
    }
    return UINT32_MAX;
}

/* A thread on a cycle of the wait-for relation: after as many steps along it as there are
   threads, one is on a cycle or at an end. */
static uint32_t on_cycle(const finding *f) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        uint32_t thread = vector_at(&f->waits, i).thread;
        for (uint32_t n = 0; n < f->threads.count && thread != UINT32_MAX; n++) {
            thread = follow(f, thread);
        }
        if (thread != UINT32_MAX) {
            return thread;
        }
    }
    return UINT32_MAX;
}

static void describe_cycle(const finding *f, text *out) {
    uint32_t first = on_cycle(f), thread = first;
    text_append(out, "cycle: ");
    do {
        text_append(out, finding_thread(f, thread));
        text_append(out, " -> ");
        thread = follow(f, thread);
    } while (thread != first);
    text_append(out, finding_thread(f, first));
}

uint32_t deadlock_sentence_count(const finding *f) {
    return f->waits.count + (on_cycle(f) != UINT32_MAX);
}

void deadlock_sentence(const finding *f, uint32_t index, text *out) {
    if (index >= f->waits.count) {
        describe_cycle(f, out);
        return;
    }
    const finding_wait *w = &vector_at(&f->waits, index);
    finding_describe_place(f, w->place, out);
    text_append(out, text_length(out) ? ": " : "");
    describe_wait(f, w, true, out);
}
