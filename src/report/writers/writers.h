/* The writers of files: each turns a finding, or the whole outcome, into the text of a file that an
 * option names. They are the WRITER and REPORT rows of base/options.def, from which options,
 * declarations and this table follow. */
#ifndef HEDDLE_REPORT_WRITERS_WRITERS_H
#define HEDDLE_REPORT_WRITERS_WRITERS_H

#include <stdint.h>

#include "base/settings.h"
#include "base/text.h"
#include "report/outcome.h"

#define WRITER(name, ...) void name##_write(text *out, const settings *, const finding *);
#define REPORT(name, ...) void name##_report(text *out, const settings *, const outcome *);
#define PRINTED_REPORT    REPORT
#include "base/options.def"

typedef struct writer {
    const char *beginning; /* every file that it writes begins so */
    const char *kind;      /* what such a file is, for messages: "a schedule" */
    /* Exactly one of them is set: for the first finding, if there is one, or for the whole
     * outcome. */
    void (*write)(text *out, const settings *, const finding *);
    void (*report)(text *out, const settings *, const outcome *);
    size_t field; /* offset in settings */
    bool printed; /* the field is an optional value: without a file it is printed */
} writer;

extern const writer writers[];
extern const uint32_t writer_count;

/* The file that it writes to; NULL: none was requested. */
const char *writer_path(const writer *, const settings *);

void writer_set_path(const writer *, settings *, const char *path);

/* The writer whose report is printed instead of the text, or NULL. */
const writer *writers_find_printed(const settings *);

/* Some file was requested. */
bool writers_want_files(const settings *);

/* Some file was requested that shows more findings than the text does. */
bool writers_want_all(const settings *);

#endif
