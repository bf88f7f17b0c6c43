/* How a report looks: colours and width only where a terminal shows them, and whether long
 * schedules are abbreviated. */
#ifndef HEDDLE_REPORT_WRITERS_STYLE_H
#define HEDDLE_REPORT_WRITERS_STYLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/settings.h"

typedef struct style {
    bool colour;
    bool lines; /* the terminal has characters for drawing lines */
    bool full;  /* schedules of any length are printed in full */
    bool wraps; /* a person reads it: long lines are broken at blanks, which could confuse tools */
    uint32_t width; /* the width of a line in columns */
} style;

enum emphasis {
    EMPHASIS_NONE,
    EMPHASIS_STRONG,
    EMPHASIS_ERROR,
    EMPHASIS_GOOD,
    EMPHASIS_FAINT,
    EMPHASIS_THREAD, /* and the following: a colour for each thread, in turn */
};

/* The colour of a thread. */
enum emphasis style_of_thread(uint32_t thread);

/* Another process passes the output on: a terminal here is not the user's. */
extern bool style_is_passed_on;

bool is_terminal(FILE *);

/* As the user requested; by default, whether `out` is a terminal with colours and NO_COLOR is not
 * set. */
bool style_wants_colour(enum color, FILE *out);

/* That of the terminal, or of COLUMNS, or else STYLE_PLAIN_WIDTH. */
uint32_t style_width(FILE *);

/* For reports on this stream. */
style style_for(const settings *, FILE *out);

enum { STYLE_PLAIN_WIDTH = 120, STYLE_LEAST_WIDTH = 40 };

/* Without colours, for files. */
style style_plain(void);

void style_begin(const style *, enum emphasis, FILE *out);
void style_end(const style *, enum emphasis, FILE *out);

#endif
