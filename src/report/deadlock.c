#include "report/deadlock.h"

#include <string.h>

#include "report/holders.h"

#define STEP_NONE FINDING_NO_STEP

/* ---- what follows from the steps ---- */

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

uint32_t deadlock_waits_since(const finding *f, const finding_wait *w) {
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

/* It waits for something that threads hold. */
static bool waits_for_holders(const finding *f, const finding_wait *w) {
    return operation_has_role(w->kind, ROLE_TAKES) && deadlock_waits_since(f, w) == STEP_NONE;
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

/* `w` ends the wait that began in step `wait`: if it locks a mutex, the wait was for a condition,
 * otherwise for a futex. */
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

static void describe_holder(const finding *f, const finding_wait *w, const holder *h, bool detailed,
                            text *out) {
    text_append(out, h->thread == w->thread ? "itself" : finding_thread(f, h->thread));
    if (detailed) {
        text_append(out, " since");
        describe_step(f, h->since, out);
    }
    /* After another error threads wait for what the others, which could go on, hold. */
    if (f->end == FINDING_DEADLOCK && h->thread != w->thread && !waits(f, h->thread)) {
        text_append(out, ", which has ended");
    }
}

/* ", held by T1, and by T2" */
static void describe_holders(const finding *f, const finding_wait *w, bool detailed, text *out) {
    holder_list holders = {0};
    const char *before = ", held by ";
    holders_find(f, f->steps.count, &holders);
    for (uint32_t i = 0; i < holders.count; i++) {
        if (vector_at(&holders, i).object == w->object) {
            text_append(out, before);
            describe_holder(f, w, &vector_at(&holders, i), detailed, out);
            before = ", and by ";
        }
    }
    vector_free(&holders);
}

static void describe_wait(const finding *f, const finding_wait *w, bool detailed, text *out) {
    text_append(out, finding_thread(f, w->thread));
    uint32_t wait = deadlock_waits_since(f, w);
    if (wait != STEP_NONE) {
        describe_waiter(f, w, wait, detailed, out);
        return;
    }
    const char *blocked = operation_table[w->kind].blocked, *name = finding_text(f, w->name);
    if (operation_has_role(w->kind, ROLE_CHOOSES)) {
        text_append(out, " repeats a loop forever, whatever it chooses");
        return;
    }
    text_format(out, " %s ", !*name ? "is blocked in" : blocked ? blocked : "waits for");
    text_append(out, *name ? name : operation_word(w->kind));
    if (operation_has_role(w->kind, ROLE_TAKES)) {
        describe_holders(f, w, detailed, out);
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

typedef VECTOR(uint32_t) thread_list;

typedef struct cycle_search {
    const finding *finding;
    holder_list holders;
    thread_list path; /* each waits for the next */
    thread_list seen;
} cycle_search;

static const finding_wait *wait_of(const finding *f, uint32_t thread) {
    for (uint32_t i = 0; i < f->waits.count; i++) {
        if (vector_at(&f->waits, i).thread == thread) {
            return &vector_at(&f->waits, i);
        }
    }
    return NULL;
}

static bool close_cycle(cycle_search *s);

/* The last thread of the path waits for this one: true if that leads back to the first. */
static bool leads_back(cycle_search *s, uint32_t thread) {
    if (thread == vector_at(&s->path, 0)) {
        return true;
    }
    if (vector_contains(&s->seen, thread)) {
        return false;
    }
    vector_push(&s->seen, thread);
    vector_push(&s->path, thread);
    bool closed = close_cycle(s);
    s->path.count -= !closed;
    return closed;
}

static bool close_cycle(cycle_search *s) {
    const finding_wait *w = wait_of(s->finding, vector_last(&s->path));
    if (w && operation_shows(w->kind, SHOWS_THREAD)) {
        return leads_back(s, w->object);
    }
    bool closed = false, for_holders = w && waits_for_holders(s->finding, w);
    for (uint32_t i = 0; i < s->holders.count && for_holders && !closed; i++) {
        const holder *h = &vector_at(&s->holders, i);
        closed = h->object == w->object && leads_back(s, h->thread);
    }
    return closed;
}

/* The first cycle of threads each of which waits for the next; none: the list is empty. The caller
 * frees it. */
static thread_list find_cycle(const finding *f) {
    cycle_search s = {.finding = f};
    bool closed = false;
    holders_find(f, f->steps.count, &s.holders);
    for (uint32_t i = 0; i < f->waits.count && !closed; i++) {
        vector_clear(&s.seen);
        vector_clear(&s.path);
        vector_push(&s.path, vector_at(&f->waits, i).thread);
        closed = close_cycle(&s);
        s.path.count = closed ? s.path.count : 0;
    }
    vector_free(&s.holders);
    vector_free(&s.seen);
    return s.path;
}

static void describe_cycle(const finding *f, text *out) {
    thread_list cycle = find_cycle(f);
    text_append(out, "cycle: ");
    for (uint32_t i = 0; i < cycle.count; i++) {
        text_append(out, finding_thread(f, vector_at(&cycle, i)));
        text_append(out, " -> ");
    }
    text_append(out, finding_thread(f, vector_at(&cycle, 0)));
    vector_free(&cycle);
}

uint32_t deadlock_sentence_count(const finding *f) {
    thread_list cycle = find_cycle(f);
    uint32_t count = f->waits.count + (cycle.count > 0);
    vector_free(&cycle);
    return count;
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
