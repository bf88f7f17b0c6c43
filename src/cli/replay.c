#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/message.h"
#include "report/finding_trace.h"
#include "report/schedule.h"
#include "report/source.h"
#include "report/style.h"
#include "report/text_report.h"
#include "report/trace.h"

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

static bool expect(const schedule *s, loaded *l, text *why) {
    for (uint32_t i = 0; i < s->threads.count; i++) {
        if (!loaded_expect_thread(l, i, s->threads.items[i])) {
            text_format(why, "diverged at the start: the program can have no thread %s",
                        s->threads.items[i]);
            return false;
        }
    }
    for (uint32_t i = 0; i < s->shared.count; i++) {
        if (!loaded_expect_shared(l, s->shared.items[i])) {
            text_format(why, "diverged at the start: nothing can be shared at %s",
                        s->shared.items[i]);
            return false;
        }
    }
    return true;
}

/* What the program does now, and in `why` where that is not what was recorded. */
static void replay(const schedule *s, loaded *l, finding *f, text *why) {
    trace t;
    text difference = {0};
    uint32_t taken = run(s, l, &t, &difference);
    trace_finish(&t);
    trace_select(&t, s->error ? s->error : "");
    if (taken < s->steps.count) {
        text_format(why, "diverged at step %u: %s", taken + 1, text_string(&difference));
    } else if (!ends_as_recorded(s, &t, &difference)) {
        text_format(why, "diverged at the end: %s", text_string(&difference));
    }
    finding_of_trace(f, &t, NULL);
    f->nameless = s->settings.program != NULL;
    trace_free(&t);
    text_free(&difference);
}

static int report_replay(const settings *s, const finding *f, const text *why) {
    style style = {.colour = style_wants_colour(stdout), .full = s->full};
    source source = {0};
    text_report_finding(f, &source, &style, stdout);
    fflush(stdout);
    source_free(&source);
    if (text_length(why)) {
        return usage_error("%s", text_string(why));
    }
    printf("Replayed %u steps as recorded.\n", f->steps.count);
    return f->end == FINDING_NOTHING ? EXIT_VERIFIED : EXIT_BUG;
}

/* To where the schedule was made, if that is still there; otherwise the files may be here. */
static int load_and_replay(const settings *o, schedule *s) {
    loaded l;
    s->settings.watchdog_ms = o->watchdog_ms;
    s->settings.echo = true;
    text message = {0};
    const char *folder = s->settings.folder;
    bool moved = folder && !file_enter_folder(folder);
    int status;
    if (!load(&l, &s->settings, &message)) {
        status =
            usage_error(moved ? "%s (the schedule was made in %s, which is not there; run heddle "
                                "replay where its files are)"
                              : "%s",
                        text_string(&message), folder);
    } else if (!expect(s, &l, &message)) {
        status = usage_error("%s", text_string(&message));
    } else {
        finding f;
        replay(s, &l, &f, &message);
        status = report_replay(o, &f, &message);
        finding_free(&f);
    }
    loaded_free(&l);
    text_free(&message);
    return status;
}

int command_replay(const settings *o) {
    if (o->files.count != 1) {
        return usage_error(
            "replay: name one schedule file (heddle check --schedule=FILE writes one)");
    }
    const char *path = o->files.items[0];
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
