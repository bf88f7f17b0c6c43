#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/run.h"
#include "report/writers/writers.h"

static int check_line(const settings *given, const strategy_class *algorithm, const char *line,
                      uint32_t number) {
    bool standard = strcmp(given->batch, "-") == 0;
    settings s = *given;
    s.program = line;
    s.origin = standard ? "standard input" : given->batch;
    s.origin_line = number;
    loaded l;
    text message = {0};
    outcome o = {0};
    if (load(&l, &s, NULL, &message)) {
        interrupt_after(s.time_limit_ms);
        run_exploration(&s, algorithm, &l, NULL, NULL, &o);
        interrupt_after(0);
    } else {
        outcome_fail(&o, VERDICT_ERROR, text_string(&message));
    }
    text report = {0};
    json_report(&report, &s, &o);
    fputs(text_string(&report), stdout);
    text_free(&report);
    int status = verdict_status(outcome_verdict(&o));
    outcome_free(&o);
    loaded_free(&l);
    text_free(&message);
    return status;
}

static bool is_skipped(const char *line) {
    line += strspn(line, " \t");
    return *line == '\0' || *line == '#';
}

/* Lines one by one, each answered before the next is read, so that a batch can be a dialogue. */
static int check_stream(const settings *s, const strategy_class *algorithm, FILE *stream) {
    char *line = NULL;
    size_t size = 0;
    int highest = 0;
    uint32_t number = 0;
    while (!interrupt_requested && getline(&line, &size, stream) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (!is_skipped(line)) {
            int status = check_line(s, algorithm, line, number);
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

int check_batch(const settings *s, const strategy_class *algorithm) {
    interrupt_install();
    if (strcmp(s->batch, "-") == 0) {
        return check_stream(s, algorithm, stdin);
    }
    FILE *stream = fopen(s->batch, "r");
    if (!stream) {
        return usage_error("cannot read %s: %s", s->batch, strerror(errno));
    }
    int status = check_stream(s, algorithm, stream);
    if (ferror(stream)) {
        status = usage_error("cannot read %s: %s", s->batch, strerror(errno));
    }
    fclose(stream);
    return status;
}
