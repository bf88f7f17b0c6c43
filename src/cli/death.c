#include "cli/death.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_status.h"
#include "base/text.h"
#include "supervise/channel.h"

/* Heddle itself ends a process only with a message and one of these statuses. */
static bool verdict_of_status(int status, enum verdict *verdict) {
    switch (status) {
        case EXIT_USAGE: *verdict = VERDICT_ERROR; return true;
        case EXIT_INCOMPLETE: *verdict = VERDICT_INCOMPLETE; return true;
        case EXIT_INTERNAL: *verdict = VERDICT_INTERNAL; return true;
        default: return false;
    }
}

/* The last line "heddle: …" that the process printed; false if there is none. */
static bool own_message(const child_report *r, text *message) {
    static const char prefix[] = "heddle: ";
    const char *line = text_string(&r->error_output);
    while (line && !text_starts(line, prefix)) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line) {
        return false;
    }
    line += strlen(prefix);
    text_append_bytes(message, line, (uint32_t)strcspn(line, "\n"));
    return true;
}

/* " in T1, after the operation at f.c:3", or the phase. */
static void add_where(const child_report *r, const char *place, text *out) {
    text_format(out, " %s", *place ? place : phase_words(r->phase));
}

static void explain_exit(const child_report *r, const char *place, outcome *o) {
    text message = {0};
    enum verdict verdict = VERDICT_UNSUPPORTED;
    int status = WEXITSTATUS(r->status);
    if (verdict_of_status(status, &verdict) && own_message(r, &message)) {
        outcome_fail(o, verdict, text_string(&message));
        text_free(&message);
        return;
    }
    text_clear(&message);
    if (status == CHANNEL_LOST) {
        text_append(&message, "the program has closed the descriptor that heddle reports through,");
    } else {
        text_format(&message, "the program has ended the process that runs it (exit status %d)",
                    status);
    }
    add_where(r, place, &message);
    text_append(&message, ", past the functions that heddle controls; heddle cannot control this");
    outcome_fail(o, VERDICT_UNSUPPORTED, text_string(&message));
    text_free(&message);
}

static void explain_signal(const child_report *r, const char *place, outcome *o) {
    text message = {0};
    int number = WTERMSIG(r->status);
    enum verdict verdict = VERDICT_UNSUPPORTED;
    text_format(&message, "the process that runs the program was ended by signal %d (%s)", number,
                strsignal(number));
    add_where(r, place, &message);
    if (number == SIGKILL) {
        verdict = VERDICT_INCOMPLETE;
        text_append(&message, ": by the program, by another process, or because memory ran out");
    } else if (*place || r->phase == PHASE_CONSTRUCTING) {
        text_append(&message, "; heddle cannot control this");
    } else {
        verdict = VERDICT_INTERNAL;
        text_append(&message,
                    ", in heddle's own code: a bug in heddle, or the program has written to memory "
                    "that is not its own");
    }
    outcome_fail(o, verdict, text_string(&message));
    text_free(&message);
}

static void explain_stuck(const child_report *r, const char *place, outcome *o) {
    if (r->phase == PHASE_CONSTRUCTING) {
        outcome_fail(o, VERDICT_INCOMPLETE,
                     "a constructor of the program takes too long; --watchdog=SECONDS gives more "
                     "time");
        return;
    }
    text message = {0};
    text_append(&message, "the process that runs the program stopped responding");
    add_where(r, place, &message);
    text_append(&message,
                *place ? ", and heddle's watchdog could not end it; heddle cannot control this"
                       : ", in heddle's own code: a bug in heddle, or the program has "
                         "written to memory that is not its own");
    outcome_fail(o, *place ? VERDICT_UNSUPPORTED : VERDICT_INTERNAL, text_string(&message));
    text_free(&message);
}

static void explain_broken(const child_report *r, outcome *o) {
    text message = {0};
    text_format(&message,
                "no verdict: the process that runs the program has sent invalid data (%s): a "
                "bug in heddle, or the program has written to memory that is not its own",
                r->complaint ? r->complaint : "no result");
    outcome_fail(o, VERDICT_INTERNAL, text_string(&message));
    text_free(&message);
}

void death_explain(const child_report *r, const char *place, outcome *o) {
    switch (r->end) {
        case CHILD_NOT_STARTED:
            outcome_fail(o, VERDICT_ERROR, "no process can be started: see ulimit -u");
            break;
        case CHILD_STUCK: explain_stuck(r, place, o); break;
        case CHILD_DIED:
            if (WIFSIGNALED(r->status)) {
                explain_signal(r, place, o);
            } else {
                explain_exit(r, place, o);
            }
            break;
        default: explain_broken(r, o);
    }
}
