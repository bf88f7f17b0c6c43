#include <string.h>

#include "cli/algorithm.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/run.h"
#include "cli/version.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "strategies/registry.h"

#define MOST_TABLES 10 /* of distinct errors, unless --full */

/* ---- reports ---- */

static void print_errors(const options *o, loaded *l, const outcome *result, const style *style) {
    const collector *c = result->collector;
    uint32_t shown = c->errors.count;
    if (shown > MOST_TABLES && !o->full) {
        shown = MOST_TABLES;
    }
    for (uint32_t i = 0; i < shown; i++) {
        text_report_error(&c->errors.items[i], l->target, &l->source, style, stdout);
    }
    if (shown < c->errors.count) {
        printf("%u more errors are not shown; --full shows them all.\n\n", c->errors.count - shown);
    }
}

static void print_text(const options *o, loaded *l, const outcome *result, bool has_schedule) {
    style style = {.colour = style_wants_colour(stdout), .full = o->full};
    print_errors(o, l, result, &style);
    text_report_summary(result, &style, stdout);
    if (has_schedule) {
        printf("To see it again: heddle replay %s\n", o->schedule);
    } else if (result->collector->errors.count) {
        printf("To keep the schedule: --schedule=FILE, then heddle replay FILE\n");
    }
}

/* The text goes to standard output unless the JSON object does. */
static bool json_on_stdout(const options *o) {
    return o->json.given && (!o->json.value || strcmp(o->json.value, "-") == 0);
}

static bool write_json(const options *o, const subject *s, loaded *l, const outcome *result,
                       text *message) {
    FILE *out = json_on_stdout(o) ? stdout : fopen(o->json.value, "w");
    if (!out) {
        text_format(message, "cannot write %s: name a file that can be written", o->json.value);
        return false;
    }
    json_report(result, s, l->target, HEDDLE_VERSION, out);
    if (out != stdout && fclose(out) != 0) {
        text_format(message, "cannot write %s: the disk may be full", o->json.value);
        return false;
    }
    return true;
}

static bool write_schedule(const options *o, const subject *s, loaded *l, const collector *c,
                           text *message) {
    trace t;
    text schedule = {0};
    found_error_trace(&c->errors.items[0], l->target, &t);
    schedule_write(&schedule, s, &t);
    bool written = file_write(o->schedule, text_string(&schedule), message);
    text_free(&schedule);
    trace_free(&t);
    return written;
}

static void report_unsupported(loaded *l, const found_error *f) {
    const char *file;
    uint32_t line;
    if (l->target->class->describe_location(l->target, f->location, &file, &line)) {
        usage_error("%s at %s:%u; heddle cannot control this", text_string(&f->message), file,
                    line);
    } else {
        usage_error("%s; heddle cannot control this", text_string(&f->message));
    }
}

static int report(const options *o, const subject *s, loaded *l, const outcome *result) {
    text message = {0};
    bool done = true;
    if (o->schedule && result->collector->errors.count) {
        done = write_schedule(o, s, l, result->collector, &message);
    }
    if (outcome_verdict(result) == VERDICT_UNSUPPORTED) {
        report_unsupported(l, outcome_unsupported(result));
    } else if (!json_on_stdout(o)) {
        print_text(o, l, result, done && o->schedule && result->collector->errors.count);
    }
    if (done && o->json.given) {
        done = write_json(o, s, l, result, &message);
    }
    int status =
        done ? verdict_status(outcome_verdict(result)) : usage_error("%s", text_string(&message));
    text_free(&message);
    return status;
}

/* ---- one program ---- */

static int check_loaded(const options *o, const strategy_class *algorithm, const subject *s,
                        loaded *l) {
    bool terminal = is_terminal(stderr) && !o->no_progress;
    progress progress;
    collector c;
    outcome result;
    progress_begin(&progress, terminal ? stderr : NULL);
    collector_init(&c, o->keep_going, &progress);
    run_exploration(o, algorithm, l, &c, &result);
    progress_end(&progress);
    int status = report(o, s, l, &result);
    outcome_free(&result);
    collector_free(&c);
    return status;
}

static int check_one(const options *o, const strategy_class *algorithm) {
    subject s = {.program = o->program,
                 .folder = file_folder(),
                 .compiler = o->compiler,
                 .optimize = o->optimize,
                 .ignore_races = o->no_race_check,
                 .exit_status = o->exit_status,
                 .watchdog = (uint32_t)o->watchdog};
    for (uint32_t i = 0; i < o->operands.count; i++) {
        vector_push(&s.files, o->operands.items[i]);
    }
    for (uint32_t i = 0; i < o->definitions.count; i++) {
        vector_push(&s.definitions, o->definitions.items[i]);
    }
    for (uint32_t i = 0; i < o->flags.count; i++) {
        vector_push(&s.flags, text_string(&o->flags.items[i]));
    }
    for (uint32_t i = 0; i < o->arguments.count; i++) {
        vector_push(&s.arguments, o->arguments.items[i]);
    }
    loaded l;
    text message = {0};
    int status;
    if (load(&l, &s, false, &message)) {
        status = check_loaded(o, algorithm, &s, &l);
    } else {
        usage_error("%s", text_string(&message));
        status = interrupt_requested ? EXIT_INCOMPLETE : EXIT_USAGE;
    }
    loaded_free(&l);
    text_free(&message);
    subject_free(&s);
    return status;
}

/* ---- the command ---- */

static int check_usage(const options *o) {
    uint32_t subjects = (o->program != NULL) + (o->batch != NULL) + (o->operands.count != 0);
    if (subjects == 0) {
        return usage_error(
            "check: name a file, or give --program or --batch (heddle check --help)");
    }
    if (subjects > 1) {
        return usage_error("check: give only one of a file, --program and --batch");
    }
    if (!o->operands.count && (o->arguments.count || o->flags.count || o->definitions.count)) {
        return usage_error("check: a one-line program takes no -D, no flags and no arguments");
    }
    if (o->batch && (o->schedule || o->json.value)) {
        return usage_error(
            "check: --batch prints JSON on standard output and does not go together "
            "with --schedule and --json=FILE");
    }
    return 0;
}

int command_check(const options *o) {
    int wrong = check_usage(o);
    if (wrong) {
        return wrong;
    }
    const strategy_class *algorithm =
        o->algorithm ? strategy_find(o->algorithm) : algorithm_default();
    if (!algorithm) {
        text names = {0};
        algorithm_names(&names);
        usage_error("unknown algorithm %s; there are: %s", o->algorithm, text_string(&names));
        text_free(&names);
        return EXIT_USAGE;
    }
    interrupt_install();
    return o->batch ? check_batch(o, algorithm) : check_one(o, algorithm);
}
