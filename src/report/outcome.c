#include "report/outcome.h"

#include <stdarg.h>
#include <stdio.h>

void outcome_free(outcome *o) {
    for (uint32_t i = 0; i < o->findings.count; i++) {
        finding_free(&vector_at(&o->findings, i));
    }
    text_free(&o->diagnostics);
    texts_free(&o->warnings);
    texts_free(&o->notes);
    vector_free(&o->findings);
    text_free(&o->message);
    text_free(&o->algorithm);
    *o = (outcome){0};
}

void outcome_add_diagnostic(outcome *o, const char *line) {
    text_append_clean(&o->diagnostics, line);
    text_append(&o->diagnostics, "\n");
}

__attribute__((format(printf, 2, 0))) static void add_line(text_list *list, const char *format,
                                                           va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    char *line = memory_resize(NULL, 0, size);
    vsnprintf(line, size, format, again);
    va_end(again);
    text clean = {0};
    text_append_clean(&clean, line);
    memory_resize(line, size, 0);
    vector_push(list, clean);
}

void outcome_warn(outcome *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_line(&o->warnings, format, arguments);
    va_end(arguments);
}

void outcome_note(outcome *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_line(&o->notes, format, arguments);
    va_end(arguments);
}

void outcome_fail(outcome *o, enum verdict verdict, const char *message) {
    o->failure = verdict;
    text_clear(&o->message);
    text_append_clean(&o->message, message);
}

/* "unsupported: fork at program.c:7" */
static void add_unsupported(outcome *o, const finding *f) {
    text place = {0};
    finding_describe_place(f, f->place, &place);
    text_clear(&o->message);
    text_format(&o->message, "%s%s%s", finding_text(f, f->message),
                text_length(&place) ? " at " : "", text_string(&place));
    text_free(&place);
}

void outcome_add(outcome *o, finding *f) {
    if (f->end == FINDING_ERROR && f->kind == ERROR_UNSUPPORTED) {
        o->failure = VERDICT_UNSUPPORTED;
        add_unsupported(o, f);
    }
    vector_push(&o->findings, *f);
    *f = (finding){0};
}

const char *outcome_shortfall(const outcome *o) {
    if (o->gave_up) {
        return "a step took too long and was abandoned: what comes after it is not covered";
    }
    switch (o->end) {
        case EXPLORATION_STEP_BOUND:
            return "an execution was cut short: what comes after is not covered";
        case EXPLORATION_LIMIT:
            return "stopped by --max-executions: the remaining executions are not covered";
        case EXPLORATION_INTERRUPTED:
            if (o->limited) {
                return "a limit was reached, which a warning names: the rest is not covered";
            }
            return o->timeout ? "stopped by --time-limit: the remaining executions are not covered"
                              : "interrupted: the remaining executions are not covered";
        case EXPLORATION_FOREIGN:
            return "some work does not belong to this program: it is not covered";
        default: return o->unseen ? "what the warning names is not covered" : NULL;
    }
}

bool outcome_has_forecast(const outcome *o) {
    return o->forecast.known && outcome_shortfall(o) &&
           o->forecast.high >= (double)o->counters.executions;
}

forecast outcome_forecast(const outcome *o) {
    return forecast_after(o->forecast, (double)o->counters.executions);
}

enum verdict outcome_verdict(const outcome *o) {
    if (o->bugs) {
        return VERDICT_BUG;
    }
    if (o->failure != VERDICT_VERIFIED) {
        return o->failure;
    }
    return outcome_shortfall(o) ? VERDICT_INCOMPLETE : o->parts ? VERDICT_PART : VERDICT_VERIFIED;
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

/* ---- bytes ---- */

void outcome_encode(const outcome *o, bytes *out) {
    bytes_put_number(out, o->failure);
    bytes_put_string(out, text_string(&o->message));
    bytes_put_string(out, text_string(&o->algorithm));
    bytes_put_number(out, o->end);
    bytes_put_number(out, o->timeout);
    bytes_put_number(out, o->limited);
    bytes_put_number(out, o->unseen);
    bytes_put_number(out, o->gave_up);
    bytes_put_number(out, o->bugs);
    bytes_put_number(out, o->model);
    bytes_put_number(out, o->findings.count);
#define PUT_COUNTER(name, always, label) bytes_put_number(out, o->counters.name);
    COUNTERS(PUT_COUNTER)
#undef PUT_COUNTER
    bytes_put_real(out, o->seconds);
    bytes_put_number(out, o->peak_bytes);
    bytes_put_strings(out, &o->warnings);
    bytes_put_strings(out, &o->notes);
}

bool outcome_decode(outcome *o, byte_reader *r) {
    *o = (outcome){0};
    o->failure = (enum verdict)bytes_take_number(r, VERDICT_COUNT - 1);
    bytes_take_string(r, &o->message);
    bytes_take_string(r, &o->algorithm);
    o->end = (enum exploration_end)bytes_take_number(r, EXPLORATION_FOREIGN);
    o->timeout = bytes_take_flag(r);
    o->limited = bytes_take_flag(r);
    o->unseen = bytes_take_flag(r);
    o->gave_up = bytes_take_flag(r);
    o->bugs = (uint32_t)bytes_take_number(r, UINT32_MAX);
    o->model = (enum memory_model)bytes_take_number(r, MODEL_COUNT - 1);
    uint64_t findings = bytes_take_number(r, UINT32_MAX);
#define TAKE_COUNTER(name, always, label) o->counters.name = bytes_take_number(r, UINT64_MAX);
    COUNTERS(TAKE_COUNTER)
#undef TAKE_COUNTER
    o->seconds = bytes_take_real(r);
    o->peak_bytes = bytes_take_number(r, UINT64_MAX);
    bytes_take_strings(r, &o->warnings);
    bytes_take_strings(r, &o->notes);
    bool stopped = o->end == EXPLORATION_STOPPED || o->end == EXPLORATION_UNSUITED;
    r->failed = r->failed || (stopped && !findings) || o->failure == VERDICT_BUG ||
                o->failure == VERDICT_PART || (o->bugs != 0) > (findings != 0);
    if (r->failed) {
        outcome_free(o);
    }
    return !r->failed;
}

/* Not from getrusage, whose value is inherited from the process that started this one. */
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
