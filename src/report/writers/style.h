/* How a report looks: colours only where a terminal shows them, and whether long schedules are
 * abbreviated. */
#ifndef HEDDLE_REPORT_WRITERS_STYLE_H
#define HEDDLE_REPORT_WRITERS_STYLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct style {
    bool colour;
    bool full; /* schedules of any length are printed in full */
} style;

enum emphasis { EMPHASIS_NONE, EMPHASIS_STRONG, EMPHASIS_ERROR, EMPHASIS_GOOD, EMPHASIS_FAINT };

bool is_terminal(FILE *);

/* Colours if `out` is a terminal that has them and NO_COLOR is not set. */
bool style_wants_colour(FILE *out);

void style_begin(const style *, enum emphasis, FILE *out);
void style_end(const style *, enum emphasis, FILE *out);

#endif
