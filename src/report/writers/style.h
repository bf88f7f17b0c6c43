/* How a report looks: colours only where a terminal shows them, and whether long schedules are
 * abbreviated. */
#ifndef HEDDLE_REPORT_WRITERS_STYLE_H
#define HEDDLE_REPORT_WRITERS_STYLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/settings.h"

typedef struct style {
    bool colour;
    bool full; /* schedules of any length are printed in full */
} style;

enum emphasis { EMPHASIS_NONE, EMPHASIS_STRONG, EMPHASIS_ERROR, EMPHASIS_GOOD, EMPHASIS_FAINT };

bool is_terminal(FILE *);

/* As the user wants it; by default, if `out` is a terminal that has colours and NO_COLOR is not
 * set. */
bool style_wants_colour(enum color, FILE *out);

void style_begin(const style *, enum emphasis, FILE *out);
void style_end(const style *, enum emphasis, FILE *out);

#endif
