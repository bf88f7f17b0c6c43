/* What came out of a check: everything that the summary and the JSON object show. A value, as its
 * findings are: it can be sent to another process as bytes.
 *
 * The order in which the verdict is decided matters: a bug is a bug, whatever was cut short;
 * without one, a run that failed has no verdict, a call that heddle does not support makes it
 * "unsupported", and anything that was cut short "incomplete"; only an exploration that covered
 * everything is "verified". A part of an exploration without errors has the verdict "part". */
#ifndef HEDDLE_REPORT_OUTCOME_H
#define HEDDLE_REPORT_OUTCOME_H

#include <stdint.h>

#include "base/counters.h"
#include "base/exit_status.h"
#include "base/forecast.h"
#include "base/text.h"
#include "base/vector.h"
#include "explore/exploration.h"
#include "report/finding.h"

/*    verdict              word           exit status */
#define VERDICTS(X)                                      \
    X(VERDICT_VERIFIED, "verified", EXIT_VERIFIED)       \
    X(VERDICT_PART, "part", EXIT_VERIFIED)               \
    X(VERDICT_BUG, "bug", EXIT_BUG)                      \
    X(VERDICT_UNSUPPORTED, "unsupported", EXIT_USAGE)    \
    X(VERDICT_INCOMPLETE, "incomplete", EXIT_INCOMPLETE) \
    X(VERDICT_ERROR, "error", EXIT_USAGE)                \
    X(VERDICT_INTERNAL, "error", EXIT_INTERNAL)

#define VERDICT_ENUM(verdict, word, status) verdict,
enum verdict { VERDICTS(VERDICT_ENUM) VERDICT_COUNT };
#undef VERDICT_ENUM

typedef struct outcome {
    /* Why there was no exploration, or none that ended: VERDICT_VERIFIED if there is no such
       reason, and otherwise the verdict that it makes, with a message. */
    enum verdict failure;
    text message;     /* of a failure, or of what is not supported */
    text diagnostics; /* lines: what the compiler printed about a program that could not be built */
    text algorithm;
    enum exploration_end end;
    bool timeout;  /* it was interrupted because it reached its time limit */
    bool limited;  /* it was interrupted because it reached a limit, which a warning names */
    bool unseen;   /* some accesses of the program could not be explored; a warning names them */
    bool gave_up;  /* a step took too long */
    uint32_t bugs; /* distinct errors of the program itself */
    enum memory_model model;
    counters counters;
    double seconds;       /* of the exploration alone */
    double build_seconds; /* added by the supervisor */
    forecast forecast;    /* the same: the estimated total number of executions */
    uint32_t workers;     /* the same: the largest number of processes that explored at once */
    uint32_t part, parts; /* the same: only this part of `parts` was explored; 0: everything */
    uint64_t peak_bytes;
    text_list warnings; /* what the verdict does not cover, or what may be wrong with the check */
    text_list notes;    /* remarks that do not limit the verdict */
    VECTOR(finding) findings; /* as many as the reports show, in the order of discovery */
} outcome;

void outcome_free(outcome *);

void outcome_warn(outcome *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void outcome_note(outcome *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line that the compiler printed. */
void outcome_add_diagnostic(outcome *, const char *line);

/* There is no exploration to report on, or none that can be trusted. */
void outcome_fail(outcome *, enum verdict, const char *message);

/* Takes the finding over. */
void outcome_add(outcome *, finding *);

enum verdict outcome_verdict(const outcome *);
const char *verdict_word(enum verdict);
int verdict_status(enum verdict);

/* Why it is incomplete: what was hit, and what that means; NULL if nothing was cut short. */
const char *outcome_shortfall(const outcome *);

/* The number of executions was estimated, not all of them were explored, and what was explored
 * since does not contradict the estimate. */
bool outcome_has_forecast(const outcome *);
forecast outcome_forecast(const outcome *);

/* Without its findings, which are sent one by one. */
void outcome_encode(const outcome *, bytes *out);
bool outcome_decode(outcome *, byte_reader *);

/* The peak memory of the process. */
uint64_t peak_bytes(void);

#endif
