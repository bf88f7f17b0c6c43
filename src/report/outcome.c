#include "report/outcome.h"

#include <stdarg.h>
#include <stdio.h>

void outcome_free(outcome *o) {
    for (uint32_t i = 0; i < o->warnings.count; i++) {
        text_free(&o->warnings.items[i]);
    }
    vector_free(&o->warnings);
}

void outcome_warn(outcome *o, const char *format, ...) {
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text warning = {0};
    text_append(&warning, line);
    vector_push(&o->warnings, warning);
}

static const found_error *find_kind(const outcome *o, enum error_kind kind) {
    for (uint32_t i = 0; i < o->collector->errors.count; i++) {
        if (o->collector->errors.items[i].kind == kind) {
            return &o->collector->errors.items[i];
        }
    }
    return NULL;
}

const char *outcome_shortfall(const outcome *o) {
    if (find_kind(o, ERROR_UNFINISHED)) {
        return "a step took too long and was given up: what comes after is not covered";
    }
    switch (o->end) {
        case EXPLORATION_STEP_BOUND:
            return "an execution was cut short: what comes after is not covered";
        case EXPLORATION_LIMIT:
            return "stopped by --max-executions: the remaining executions are not covered";
        case EXPLORATION_INTERRUPTED:
            return o->timeout ? "stopped by --max-seconds: the remaining executions are not covered"
                              : "interrupted: the remaining executions are not covered";
        default: return o->unseen ? "what the warning names is not covered" : NULL;
    }
}

const found_error *outcome_unsupported(const outcome *o) {
    return find_kind(o, ERROR_UNSUPPORTED);
}

uint32_t outcome_bugs(const outcome *o) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->collector->errors.count; i++) {
        enum error_kind kind = o->collector->errors.items[i].kind;
        count += kind != ERROR_UNSUPPORTED && kind != ERROR_UNFINISHED;
    }
    return count;
}

enum verdict outcome_verdict(const outcome *o) {
    if (outcome_bugs(o)) {
        return VERDICT_BUG;
    }
    if (outcome_unsupported(o)) {
        return VERDICT_UNSUPPORTED;
    }
    return outcome_shortfall(o) ? VERDICT_INCOMPLETE : VERDICT_VERIFIED;
}

#define VERDICT_WORD(verdict, word, status)   [verdict] = word,
#define VERDICT_STATUS(verdict, word, status) [verdict] = status,

const char *verdict_word(enum verdict v) {
    static const char *const words[] = {VERDICTS(VERDICT_WORD)};
    return words[v];
}

int verdict_status(enum verdict v) {
    static const int statuses[] = {VERDICTS(VERDICT_STATUS)};
    return statuses[v];
}

/* Not from getrusage: what it tells is inherited from the process that started this one. */
uint64_t peak_bytes(void) {
    char line[128];
    unsigned long long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status) &&
           sscanf(line, "VmHWM: %llu kB", &kibibytes) != 1) {
    }
    if (status) {
        fclose(status);
    }
    return kibibytes * 1024;
}
