/* The results of an exploration, or of a part of one: counts, errors, warnings, and where an
 * execution was cut short. Results of parts are added up in the order in which one worker would
 * have done them: the first schedule of an error is kept. Nothing in it needs the program to be
 * loaded. */
#ifndef HEDDLE_CLI_TALLY_H
#define HEDDLE_CLI_TALLY_H

#include "base/bytes.h"
#include "base/counters.h"
#include "base/text.h"
#include "report/collector.h"

/* An error as in report/error_bytes.h. */
typedef struct tally_error {
    bytes key, body;
    uint64_t count;
} tally_error;

typedef struct tally {
    counters counters;
    text algorithm; /* the algorithm that explored; empty: unknown */
    text cut;       /* where the first execution was cut short, or nothing */
    text growth;    /* which loop makes executions longer and longer, or nothing */
    VECTOR(tally_error) errors;
    uint64_t ignored[ERROR_KIND_COUNT]; /* errors that do not count, by kind */
    text_list warnings, notes;          /* each once */
    text_list inputs;                   /* what the program has read (base/inputs.h), each once */
    bool unseen;                        /* a warning names something that is not covered */
    bool limited;                       /* a limit of heddle ended it, which a warning names */
} tally;

void tally_free(tally *);
void tally_add(tally *, const tally *);

/* Adds a warning, unless it is there already; `unseen`: something is not covered. */
void tally_warn(tally *, const char *words, bool unseen);
void tally_note(tally *, const char *words);
void tally_note_input(tally *, const char *line);

/* Adds the errors of a process that runs the program, and passes them to one. False: the bytes are
 * not errors of this program. */
void tally_take_errors(tally *, collector *, target *);
bool tally_give_errors(const tally *, collector *, target *);

void tally_encode(const tally *, bytes *out);
void tally_decode(tally *, byte_reader *);

#endif
