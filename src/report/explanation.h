/* What each kind of finding means, for people who see it for the first time: one table, used by
 * `heddle explain KIND`, by --verbose, by the rules of a SARIF log and by the page. */
#ifndef HEDDLE_REPORT_EXPLANATION_H
#define HEDDLE_REPORT_EXPLANATION_H

#include "base/text.h"
#include "explore/target.h"

typedef struct explanation {
    const char *title;   /* "Data race" */
    const char *summary; /* one sentence */
    const char *meaning; /* what has happened, and why it is wrong */
    const char *remedy;  /* what usually fixes it */
} explanation;

/* Every kind has one. */
const explanation *explanation_of(enum error_kind);

/* Appends its title as it is inside a line: "double free". */
void explanation_in_line(enum error_kind, text *out);

/* The kind with that word ("data-race"); ERROR_KIND_COUNT if there is none. */
enum error_kind error_kind_of(const char *word);

#endif
