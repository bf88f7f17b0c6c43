#include "base/exit_status.h"
#include "cli/algorithm.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/job.h"
#include "cli/report.h"
#include "dpor/registry.h"
#include "report/writers/writers.h"

static int check_one(const settings *given, const strategy_class *algorithm) {
    settings s = *given;
    s.folder = file_folder();
    job j = {.settings = &s, .algorithm = algorithm};
    job_run(&j);
    int status = report_outcome(&s, &j.outcome);
    job_free(&j);
    return status;
}

static bool writes_files(const settings *s) {
    bool writes = false;
    for (uint32_t i = 0; i < writer_count; i++) {
        writes = writes || writer_path(&writers[i], s);
    }
    return writes;
}

/* What is wrong with the settings, or NULL. */
static const char *wrong_usage(const settings *s) {
    uint32_t subjects = (s->program != NULL) + (s->batch != NULL) + (s->files.count != 0);
    if (subjects == 0) {
        return "check: name a file, or give --program or --batch (heddle check --help)";
    }
    if (subjects > 1) {
        return "check: give only one of a file, --program and --batch";
    }
    if (!s->files.count && (s->arguments.count || s->flags.count || s->definitions.count)) {
        return "check: a one-line program takes no -D, no flags and no arguments";
    }
    if (s->batch && (s->json.value || writes_files(s))) {
        return "check: --batch prints JSON on standard output and does not go together "
               "with options that write files, such as --schedule and --json=FILE";
    }
    return NULL;
}

static const strategy_class *find_algorithm(const settings *s, text *message) {
    const strategy_class *algorithm =
        s->algorithm ? strategy_find(s->algorithm) : algorithm_default();
    if (!algorithm) {
        text_format(message, "unknown algorithm %s; there are: ", s->algorithm);
        algorithm_names(message);
    }
    return algorithm;
}

int command_check(const settings *s) {
    text message = {0};
    const strategy_class *algorithm = NULL;
    if (wrong_usage(s)) {
        text_append(&message, wrong_usage(s));
    } else if (report_check_files(s, &message)) {
        algorithm = find_algorithm(s, &message);
    }
    int status = EXIT_USAGE;
    if (algorithm) {
        status = s->batch ? check_batch(s, algorithm) : check_one(s, algorithm);
    } else {
        report_failure(s, VERDICT_ERROR, text_string(&message));
    }
    text_free(&message);
    return status;
}
