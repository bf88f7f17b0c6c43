#include "cli/replay.h"

#include <string.h>

#include "base/text.h"
#include "cli/last_execution.h"
#include "report/finding_trace.h"
#include "report/trace.h"
#include "targets/native/native.h"

#define ADDRESS_DIGITS \
    11 /* a number of this length is an address, which may differ between processes */

/* The length of an address at this place, decimal or hexadecimal; 0 if there is none. */
static size_t address_at(const char *text) {
    bool hexadecimal = text_starts(text, "0x");
    size_t length = strspn(text, hexadecimal ? "x0123456789abcdef" : "0123456789");
    return length >= ADDRESS_DIGITS ? length : 0;
}

/* The same words, except for addresses. */
static bool same_words(const char *a, const char *b) {
    while (*a && *b) {
        size_t a_length = address_at(a), b_length = address_at(b);
        if (a_length && b_length) {
            a += a_length;
            b += b_length;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

/* The step did something other than what was recorded. */
static bool differs(const trace *t, uint32_t index, const char *recorded, text *why) {
    text now = {0};
    trace_describe(t, index, &now);
    bool different = *recorded && !same_words(recorded, text_string(&now));
    if (different) {
        text_format(why, "recorded was \"%s\", now it is \"%s\"", recorded, text_string(&now));
    }
    text_free(&now);
    return different;
}

static void announce_last(trace *t, step last) {
    if (t->watch && t->watch->before_last) {
        t->thread_count = t->target->class->thread_count(t->target);
        t->watch->before_last(t->watch->context, t, last);
    }
}

/* The number of steps that went as recorded; if not all did, `why` says what happened instead. */
static uint32_t follow(const schedule *s, trace *t, text *why) {
    t->expected = s->steps.count;
    for (uint32_t i = 0; i < s->steps.count; i++) {
        const schedule_step *wanted = &vector_at(&s->steps, i);
        bool bare = !*wanted->description;
        if (bare && i == 0) {
            trace_take_passing(t, NULL);
        }
        if (i + 1 == s->steps.count) {
            announce_last(t, wanted->step);
        }
        bool taken = trace_take(t, wanted->step, why);
        if (bare && taken) {
            trace_take_passing(t, NULL);
        }
        if (!taken) {
            text_format(why, " (thread %u: \"%s\")", wanted->step.thread, wanted->description);
            return i;
        }
        if (!bare && differs(t, i, wanted->description, why)) {
            return i;
        }
    }
    return s->steps.count;
}

bool replay_ended_others(const schedule *s) {
    return s->error && strstr(s->error, LAST_EXECUTION_MESSAGE);
}

/* The recorded error occurred, and no other. If the schedule ended other processes, it need not end
 * this one: perhaps it was not the program that ended them. */
static bool ends_as_recorded(const schedule *s, const trace *t, text *why) {
    text now = {0};
    trace_ending(t, &now);
    const char *recorded = s->error ? s->error : "";
    bool same =
        same_words(recorded, text_string(&now)) || (!text_length(&now) && replay_ended_others(s));
    if (!same) {
        text_format(why, "recorded was %s%s%s, now it is %s", *recorded ? "\"" : "",
                    *recorded ? recorded : "no error", *recorded ? "\"" : "",
                    text_length(&now) ? text_string(&now) : "no error");
    }
    text_free(&now);
    return same;
}

/* Steps as the exploration took them, when it could not be run again: some have no words. */
static bool is_bare(const schedule *s) {
    bool bare = s->error && text_starts(s->error, error_word(ERROR_UNFINISHED));
    for (uint32_t i = 0; i < s->steps.count; i++) {
        bare = bare || !*vector_at(&s->steps, i).description;
    }
    return bare;
}

/* Repeats as often as the target learns something new about what is shared: in practice at most
 * twice. In programs with spin loops most algorithms have explored plain accesses in passing,
 * `none` has not. */
static uint32_t run(const schedule *s, loaded *l, const trace_watch *watch, trace *t, text *why) {
    for (;;) {
        trace_init(t, l->target, is_bare(s) ? ACCESSES_SHOWN : ACCESSES_ARE_STEPS);
        t->watch = watch;
        uint32_t taken = follow(s, t, why);
        bool stale = target_take_stale(l->target);
        bool differs = l->target->spins && l->target->accesses == ACCESSES_IN_PASSING &&
                       taken < s->steps.count;
        if (!stale && !differs) {
            return taken;
        }
        l->target->accesses = stale ? l->target->accesses : ACCESSES_ARE_STEPS;
        trace_free(t);
        text_clear(why);
    }
}

void replay_adopt(schedule *s, const settings *wanted) {
    s->settings.watchdog_ms = wanted->watchdog_ms;
    s->settings.time_limit_ms = wanted->time_limit_ms;
    s->settings.allow_files = wanted->allow_files;
    /* An error that is not in any schedule is searched for as the check did, without output. */
    s->settings.echo = !s->error || !text_starts(s->error, "uninitialised ");
}

bool replay_expect(const schedule *s, loaded *l, text *why) {
    l->target->accesses = ACCESSES_IN_PASSING;
    for (uint32_t i = 0; i < s->threads.count; i++) {
        if (!loaded_expect_thread(l, i, vector_at(&s->threads, i))) {
            text_format(why, "diverged at the start: the program can have no thread %s",
                        vector_at(&s->threads, i));
            return false;
        }
    }
    for (uint32_t i = 0; i < s->shared.count; i++) {
        if (!loaded_expect_shared(l, vector_at(&s->shared, i))) {
            text_format(why, "diverged at the start: nothing can be shared at %s",
                        vector_at(&s->shared, i));
            return false;
        }
    }
    return true;
}

void replay_follow(const schedule *s, loaded *l, const trace_watch *watch, finding *f, text *why) {
    trace t;
    text difference = {0};
    uint32_t taken = run(s, l, watch, &t, &difference);
    trace_finish(&t);
    trace_select(&t, s->error ? s->error : "");
    if (taken < s->steps.count) {
        text_format(why, "diverged at step %u: %s", taken + 1, text_string(&difference));
    } else if (!ends_as_recorded(s, &t, &difference)) {
        text_format(why, "diverged at the end: %s", text_string(&difference));
    }
    finding_of_trace(f, &t, NULL);
    bool known = f->end != FINDING_NOTHING && s->unavoidable <= f->steps.count;
    f->doomed = known ? s->unavoidable : FINDING_NO_STEP;
    f->nameless = s->settings.program != NULL;
    trace_free(&t);
    text_free(&difference);
}

static bool ends(const schedule *s) {
    return !s->error || (!text_starts(s->error, error_word(ERROR_HANG)) &&
                         !text_starts(s->error, error_word(ERROR_UNFINISHED)));
}

void replay_learn(const schedule *s, loaded *l) {
    text why = {0};
    finding f;
    bool echo = native_set_echo(false);
    if (echo && ends(s)) {
        replay_follow(s, l, NULL, &f, &why);
        finding_free(&f);
    }
    native_set_echo(echo);
    text_free(&why);
}
