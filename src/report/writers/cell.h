/* Text in a column of limited width. Widths are columns of the screen (base/text.h). */
#ifndef HEDDLE_REPORT_WRITERS_CELL_H
#define HEDDLE_REPORT_WRITERS_CELL_H

#include <stdint.h>

#include "base/text.h"

/* Appends the string, cut off with "..." if it is wider. */
void cell_cut(const char *string, uint32_t width, text *out);

/* The same for a line of source, in which byte number `place` matters: its beginning is also cut
 * off, up to the statement at that place, if that would not be visible otherwise. */
void cell_cut_around(const char *string, uint32_t place, uint32_t width, text *out);

/* Appends the string, its middle replaced by ".." if it is wider. */
void cell_shorten(const char *string, uint32_t width, text *out);

/* Appends as many words as fit, at least one (shortened if it alone does not), and returns the
 * rest of the string: "" if that was all. */
const char *cell_line(const char *string, uint32_t width, text *out);

#endif
