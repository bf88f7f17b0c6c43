/* The process that gdb runs: it follows a schedule in one process, without a supervisor and without
 * a watchdog, and notifies the debugger before each step (targets/runtime/kernel/debugger.h).
 *
 * It follows the schedule twice, first without output and without the debugger: what threads share
 * may become known only during a run, and then everything starts over. In the second run that is
 * known. A schedule whose last step does not end is followed once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/replay.h"
#include "report/trace.h"
#include "targets/native/native.h"
#include "targets/runtime/kernel/debugger.h"

/* The first step to stop at, set by the extension. */
#define STEP_VARIABLE "HEDDLE_DEBUGGER_STEP"

static uint64_t first_stop(void) {
    const char *value = getenv(STEP_VARIABLE);
    uint64_t step = value ? strtoull(value, NULL, 10) : 0;
    unsetenv(STEP_VARIABLE); /* the program's environment is as it was */
    return step;
}

static void describe(void *context, uint32_t thread, char *words, uint32_t size) {
    target *target = context;
    text name = {0};
    describe_operation(target, target->class->pending(target, thread), &name);
    snprintf(words, size, "%s", text_string(&name));
    text_free(&name);
}

static void before_step(void *context, const trace *t, step taken) {
    debugger_step(t->steps.count + 1, taken.thread, describe, context);
}

static int run(const schedule *s, loaded *l, uint64_t stop) {
    text why = {0};
    finding f;
    trace_watch watch = {.before_step = before_step, .context = l->target};
    replay_learn(s, l);
    debugger_open(stop);
    replay_follow(s, l, &watch, &f, &why);
    fflush(NULL);
    if (text_length(&why)) { /* the user of the debugger may have changed something */
        usage_error("%s", text_string(&why));
    }
    debugger_end(f.steps.count + 1, describe, l->target);
    finding_free(&f);
    text_free(&why);
    return EXIT_VERIFIED;
}

/* heddle debuggee [--allow-files] SCHEDULE PROGRAM */
int command_debuggee(const settings *wanted) {
    loaded l;
    schedule s;
    schedule_fault fault;
    text contents = {0}, message = {0};
    uint64_t stop = first_stop();
    if (wanted->files.count != 2) {
        return usage_error("debuggee: heddle replay --gdb calls this");
    }
    if (!file_read(vector_at(&wanted->files, 0), &contents, &message)) {
        return usage_error("%s", text_string(&message));
    }
    if (!schedule_read(&s, contents, &fault)) {
        return usage_error("%s", fault.message);
    }
    replay_adopt(&s, wanted);
    s.settings.debugged = true;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!load(&l, &s.settings, vector_at(&wanted->files, 1), &message) ||
        !replay_expect(&s, &l, &message)) {
        return usage_error("%s", text_string(&message));
    }
    return run(&s, &l, stop);
}
