/* The lines of source files, for reports. A file is read when one of its lines is first needed; the
 * text of a file that has already been read can be given instead. A file that cannot be read has no
 * lines, which is not an error: the report then only has line numbers. */
#ifndef HEDDLE_REPORT_WRITERS_SOURCE_H
#define HEDDLE_REPORT_WRITERS_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"
#include "report/finding.h"

typedef struct source_file {
    text name;
    text contents;
} source_file;

typedef struct source {
    VECTOR(source_file) files;
} source;

void source_free(source *);

/* The whole file; "" if it cannot be read. Valid until the next call. */
const char *source_text(source *, const char *name);

/* Appends line number `line` without the white space at both ends, tabs as spaces; nothing if there
 * is none. Returns how many bytes of white space it begins with. */
uint32_t source_line(source *, const char *file, uint32_t line, text *out);

/* The same for a place of the finding; nothing for a one-line program. Returns which byte of the
 * line it is. */
uint32_t source_at(source *, const finding *, uint32_t place, uint32_t *line, text *out);

#endif
