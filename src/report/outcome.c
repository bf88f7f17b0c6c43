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

const char *outcome_shortfall(const outcome *o) {
    switch (o->end) {
        case EXPLORATION_STEP_BOUND:
            return "an execution was cut short by --max-steps: what comes after is not covered";
        case EXPLORATION_LIMIT:
            return "stopped by --max-executions: the remaining executions are not covered";
        case EXPLORATION_INTERRUPTED:
            return o->timeout ? "stopped by --max-seconds: the remaining executions are not covered"
                              : "interrupted: the remaining executions are not covered";
        default:
            return o->unseen ? "what is not under heddle's control is not covered: see the warning"
                             : NULL;
    }
}

const found_error *outcome_unsupported(const outcome *o) {
    uint32_t count = o->collector->errors.count;
    const found_error *last = count ? &o->collector->errors.items[count - 1] : NULL;
    return last && last->kind == ERROR_UNSUPPORTED ? last : NULL;
}

enum verdict outcome_verdict(const outcome *o) {
    if (o->collector->errors.count > (outcome_unsupported(o) != NULL)) {
        return VERDICT_BUG;
    }
    if (outcome_unsupported(o)) {
        return VERDICT_UNSUPPORTED;
    }
    return o->end == EXPLORATION_COMPLETE && !o->unseen ? VERDICT_VERIFIED : VERDICT_INCOMPLETE;
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
