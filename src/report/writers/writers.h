/* The writers of files: each turns a finding into the text of a file that an option names. They are
 * the WRITER rows of base/options.def, from which options, declarations and this table follow. */
#ifndef HEDDLE_REPORT_WRITERS_WRITERS_H
#define HEDDLE_REPORT_WRITERS_WRITERS_H

#include <stdint.h>

#include "base/settings.h"
#include "base/text.h"
#include "report/finding.h"

#define WRITER(name, ...) void name##_write(text *out, const settings *, const finding *);
#include "base/options.def"

typedef struct writer {
    const char *beginning; /* every file that it writes begins so */
    const char *kind;      /* what such a file is, for messages: "a schedule" */
    void (*write)(text *out, const settings *, const finding *);
    size_t field; /* offset in settings */
} writer;

extern const writer writers[];
extern const uint32_t writer_count;

/* The file that it writes to; NULL: none is wanted. */
const char *writer_path(const writer *, const settings *);

#endif
