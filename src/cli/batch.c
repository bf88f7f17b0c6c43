#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/run.h"
#include "cli/version.h"
#include "report/json_report.h"

static int check_line(const options *o, const strategy_class *algorithm, const char *line,
                      uint32_t number) {
    bool standard = strcmp(o->batch, "-") == 0;
    subject s = {
        .program = line, .origin = standard ? "standard input" : o->batch, .origin_line = number};
    loaded l;
    text message = {0};
    int status = EXIT_USAGE;
    if (load(&l, &s, false, &message)) {
        collector c;
        outcome result;
        collector_init(&c, o->keep_going, NULL);
        run_exploration(o, algorithm, &l, &c, &result);
        json_report(&result, &s, l.target, HEDDLE_VERSION, stdout);
        status = verdict_status(outcome_verdict(&result));
        outcome_free(&result);
        collector_free(&c);
    } else {
        json_report_failure(text_string(&message), stdout);
    }
    loaded_free(&l);
    text_free(&message);
    subject_free(&s);
    return status;
}

static bool is_skipped(const char *line) {
    line += strspn(line, " \t");
    return *line == '\0' || *line == '#';
}

/* Lines one by one, each answered before the next is read, so that a batch can be a dialogue. */
static int check_stream(const options *o, const strategy_class *algorithm, FILE *stream) {
    char *line = NULL;
    size_t size = 0;
    int highest = 0;
    uint32_t number = 0;
    while (!interrupt_requested && getline(&line, &size, stream) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (!is_skipped(line)) {
            int status = check_line(o, algorithm, line, number);
            highest = status > highest ? status : highest;
            fflush(stdout);
        }
    }
    free(line);
    if (interrupt_requested) {
        fprintf(stderr, "heddle: interrupted: the remaining programs were not checked\n");
        highest = highest > EXIT_INCOMPLETE ? highest : EXIT_INCOMPLETE;
    }
    return highest;
}

int check_batch(const options *o, const strategy_class *algorithm) {
    if (strcmp(o->batch, "-") == 0) {
        return check_stream(o, algorithm, stdin);
    }
    FILE *stream = fopen(o->batch, "r");
    if (!stream) {
        return usage_error("cannot read %s: %s", o->batch, strerror(errno));
    }
    int status = check_stream(o, algorithm, stream);
    if (ferror(stream)) {
        status = usage_error("cannot read %s: %s", o->batch, strerror(errno));
    }
    fclose(stream);
    return status;
}
