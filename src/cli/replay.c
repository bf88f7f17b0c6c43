#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/message.h"
#include "report/schedule.h"
#include "report/text_report.h"

#define ADDRESS_DIGITS 11 /* a number that long is an address, which another process may choose */

static uint32_t digits_at(const char *text) {
    uint32_t count = 0;
    while (text[count] >= '0' && text[count] <= '9') {
        count++;
    }
    return count;
}

/* The same words, but for addresses. */
static bool same_words(const char *a, const char *b) {
    while (*a && *b) {
        uint32_t a_digits = digits_at(a), b_digits = digits_at(b);
        if (a_digits >= ADDRESS_DIGITS && b_digits >= ADDRESS_DIGITS) {
            a += a_digits;
            b += b_digits;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

/* The step did something else than what was recorded. */
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

/* Number of steps that went as recorded; fewer than all: `why` says what happened instead. */
static uint32_t follow(const schedule *s, trace *t, text *why) {
    for (uint32_t i = 0; i < s->steps.count; i++) {
        const schedule_step *wanted = &s->steps.items[i];
        if (!trace_take(t, wanted->step, why)) {
            text_format(why, " (thread %u: \"%s\")", wanted->step.thread, wanted->description);
            return i;
        }
        if (differs(t, i, wanted->description, why)) {
            return i;
        }
    }
    return s->steps.count;
}

/* A recorded error that did not come, or another one. */
static bool ends_as_recorded(const schedule *s, const trace *t, text *why) {
    text now = {0};
    trace_ending(t, &now);
    const char *recorded = s->error ? s->error : "";
    bool same = same_words(recorded, text_string(&now));
    if (!same) {
        text_format(why, "recorded was %s%s%s, now it is %s", *recorded ? "\"" : "",
                    *recorded ? recorded : "no error", *recorded ? "\"" : "",
                    text_length(&now) ? text_string(&now) : "no error");
    }
    text_free(&now);
    return same;
}

/* As often as the target learns something new about what is shared: twice at most, in practice. */
static uint32_t run(const schedule *s, loaded *l, trace *t, text *why) {
    for (;;) {
        trace_init(t, l->target);
        uint32_t taken = follow(s, t, why);
        if (!loaded_is_stale(l)) {
            return taken;
        }
        trace_free(t);
        text_clear(why);
    }
}

static int replay(const options *o, const schedule *s, loaded *l) {
    for (uint32_t i = 0; i < s->threads.count; i++) {
        if (!loaded_expect_thread(l, i, s->threads.items[i])) {
            return usage_error("diverged at the start: the program can have no thread %s",
                               s->threads.items[i]);
        }
    }
    for (uint32_t i = 0; i < s->shared.count; i++) {
        if (!loaded_expect_shared(l, s->shared.items[i])) {
            return usage_error("diverged at the start: nothing can be shared at %s",
                               s->shared.items[i]);
        }
    }
    style style = {.colour = style_wants_colour(stdout), .full = o->full};
    text why = {0};
    trace t;
    uint32_t taken = run(s, l, &t, &why);
    trace_finish(&t);
    trace_select(&t, s->error ? s->error : "");
    text_report_trace(&t, &l->source, &style, stdout);
    int status = trace_selected(&t) || trace_deadlocked(&t) ? EXIT_BUG : EXIT_VERIFIED;
    fflush(stdout);
    if (taken < s->steps.count) {
        status = usage_error("diverged at step %u: %s", taken + 1, text_string(&why));
    } else if (!ends_as_recorded(s, &t, &why)) {
        status = usage_error("diverged at the end: %s", text_string(&why));
    } else {
        printf("Replayed %u steps as recorded.\n", taken);
    }
    trace_free(&t);
    text_free(&why);
    return status;
}

/* To where the schedule was made, if that is still there; otherwise the files may be here. */
static int load_and_replay(const options *o, schedule *s) {
    loaded l;
    s->subject.watchdog = (uint32_t)o->watchdog;
    text message = {0};
    const char *folder = s->subject.folder;
    bool moved = folder && !file_enter_folder(folder);
    int status;
    if (load(&l, &s->subject, true, &message)) {
        status = replay(o, s, &l);
    } else if (moved) {
        status = usage_error(
            "%s (the schedule was made in %s, which is not there; run heddle "
            "replay where its files are)",
            text_string(&message), folder);
    } else {
        status = usage_error("%s", text_string(&message));
    }
    loaded_free(&l);
    text_free(&message);
    return status;
}

int command_replay(const options *o) {
    if (o->operands.count != 1) {
        return usage_error(
            "replay: name one schedule file (heddle check --schedule=FILE writes one)");
    }
    const char *path = o->operands.items[0];
    text contents = {0}, message = {0};
    if (!file_read(path, &contents, &message)) {
        int status = usage_error("%s", text_string(&message));
        text_free(&message);
        text_free(&contents);
        return status;
    }
    schedule s;
    schedule_fault fault;
    int status = schedule_read(&s, contents, &fault)
                     ? load_and_replay(o, &s)
                     : usage_error("%s:%u: %s", path, fault.line, fault.message);
    schedule_free(&s);
    return status;
}
