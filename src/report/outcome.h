/* What came out of a check: everything that the summary and the JSON object tell.
 *
 * The verdict has three values, and the order in which they are decided matters: a bug is a bug
 * whatever was cut short; without one, anything that was cut short makes it "incomplete", as does a
 * call that heddle does not support; only an exploration that covered everything is "verified". */
#ifndef HEDDLE_REPORT_OUTCOME_H
#define HEDDLE_REPORT_OUTCOME_H

#include <stdint.h>

#include "base/vector.h"
#include "explore/exploration.h"
#include "report/collector.h"
#include "report/text.h"

/*    verdict              word          exit status */
#define VERDICTS(X)                         \
    X(VERDICT_VERIFIED, "verified", 0)      \
    X(VERDICT_BUG, "bug", 1)                \
    X(VERDICT_UNSUPPORTED, "incomplete", 2) \
    X(VERDICT_INCOMPLETE, "incomplete", 3)

#define VERDICT_ENUM(verdict, word, status) verdict,
enum verdict { VERDICTS(VERDICT_ENUM) VERDICT_COUNT };
#undef VERDICT_ENUM

typedef struct outcome {
    const char *algorithm;
    enum exploration_end end;
    bool timeout; /* it was interrupted because its time was over */
    bool unseen;  /* some accesses of the program could not be explored; a warning names them */
    const collector *collector;
    double seconds; /* of the exploration alone */
    VECTOR(text) warnings;
} outcome;

void outcome_free(outcome *);

void outcome_warn(outcome *, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum verdict outcome_verdict(const outcome *);
const char *verdict_word(enum verdict);
int verdict_status(enum verdict);

/* Distinct errors of the program itself. */
uint32_t outcome_bugs(const outcome *);

/* The call that heddle does not support and that ended the exploration, or NULL. */
const found_error *outcome_unsupported(const outcome *);

/* Why it is incomplete: what was hit, and what that means; NULL if nothing was cut short. */
const char *outcome_shortfall(const outcome *);

/* The most memory that the process has held at any time. */
uint64_t peak_bytes(void);

#endif
