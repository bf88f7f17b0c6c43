/* A finding: an execution of the program with everything that a report shows of it. What went wrong
 * and where, every step with its thread, operation, object, value and place, what happens before
 * what, and who waits for whom at the end.
 *
 * It is a value: made once, by running the target along the schedule (finding_of_trace), it refers
 * to no target and no execution, can be sent to another process as bytes, and the writers see
 * nothing else (text, JSON, schedule files). An execution without an error, which `heddle replay`
 * may have, is a finding, too.
 *
 * Strings are offsets into a pool, so that a schedule of a million steps stores "read x -> 0"
 * once. */
#ifndef HEDDLE_REPORT_FINDING_H
#define HEDDLE_REPORT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text.h"
#include "base/vector.h"
#include "core/operation.h"
#include "explore/step.h"
#include "explore/target.h"

/* A string of the pool; 0 is the empty string. */
typedef uint32_t finding_string;

/* A place in the source; number 0 is none. */
typedef struct finding_place {
    finding_string file; /* as in the debug information */
    finding_string function;
    uint32_t line;
    uint32_t column; /* from 1; 0 if unknown */
} finding_place;

typedef struct finding_step {
    step step;
    uint8_t kind; /* enum operation_kind */
    bool acquired;
    bool failed; /* an error happened in this step */
    bool valued; /* it has read, written or got `value` */
    bool writes; /* the step has only one object */
    bool after_known;
    bool ordered;  /* it has a relevant memory order: */
    uint8_t order; /* enum access_order */
    uint32_t object;
    finding_string name;        /* of the object, or of the thread that is created or joined */
    finding_string description; /* "read x -> 0" */
    finding_string after_words; /* what `after` means */
    uint32_t place;
    uint64_t value;
    uint64_t after; /* the value of the object, a variable, after the step, if known */
} finding_step;

/* A step of one thread that happens before a step of another. Together with the order of each
 * thread's own steps, these edges are all of happens-before, and no edge follows from the
 * others. Under weak memory models there are also some that are not part of it. */
typedef struct finding_edge {
    uint32_t before, after; /* numbers of steps */
    bool reads_only; /* the later one has read what the earlier one wrote, which does not happen
                        before it */
} finding_edge;

/* A thread that has an operation pending and cannot take it. */
typedef struct finding_wait {
    uint32_t thread;
    uint8_t kind;
    uint32_t object;
    finding_string name;
    uint32_t place;
} finding_wait;

/* Another place that the error is about: an access of a race, where a block was allocated. */
typedef struct finding_relation {
    finding_string what; /* "allocated", "atomic write" */
    uint32_t thread;
    uint32_t place;
    uint32_t step; /* its number, or FINDING_NO_STEP */
} finding_relation;

#define FINDING_NO_STEP   UINT32_MAX
#define FINDING_NO_THREAD UINT32_MAX

enum finding_end {
    FINDING_NOTHING, /* no error */
    FINDING_ERROR,
    FINDING_DEADLOCK, /* no thread can continue, and some are blocked forever */
    FINDING_END_COUNT,
};

typedef struct finding {
    enum finding_end end;
    bool bare;     /* of its steps only threads and choices are known: enough for a replay */
    bool nameless; /* the program was given on the command line: its places mean nothing to readers
                    */
    enum error_kind kind;   /* unless FINDING_NOTHING */
    finding_string message; /* one line */
    finding_string ending;  /* what a replay compares: "assertion MESSAGE", "deadlock" or nothing */
    uint32_t place;         /* of the error */
    uint32_t thread;        /* the thread that made it, or FINDING_NO_THREAD */
    uint64_t count;         /* how often it occurred */
    /* Steps after which the error can no longer be avoided, 0 if every schedule has it;
       FINDING_NO_STEP if that is not known. */
    uint32_t doomed;
    VECTOR(finding_string) threads; /* names, by number */
    VECTOR(finding_string) roles;   /* of the threads: their start functions, where these differ */
    VECTOR(uint32_t) stack;         /* places: where the thread is, and the calls that led there */
    VECTOR(finding_string) shared;  /* what turned out to be shared (target.h, describe_shared) */
    VECTOR(finding_step) steps;
    VECTOR(finding_edge) edges; /* by `after`; none if it is bare */
    VECTOR(finding_wait) waits;
    VECTOR(finding_relation) relations;
    /* With a weak memory model: reads of a write other than the latest, and which memory orders
     * would prevent the error; sentences. */
    VECTOR(finding_string) remarks;
    VECTOR(finding_place) places;
    text pool; /* the strings, each ended by a NUL */
} finding;

void finding_free(finding *);

/* Adds a sentence, unless it is empty. */
void finding_remark(finding *, const char *sentence);

static inline const char *finding_text(const finding *f, finding_string s) {
    return s < text_length(&f->pool) ? text_string(&f->pool) + s : "";
}

static inline const char *finding_thread(const finding *f, uint32_t thread) {
    return thread < f->threads.count ? finding_text(f, vector_at(&f->threads, thread)) : "";
}

/* "worker": the function that it starts with, or the name that the program gives it; "" if that
 * distinguishes nothing. */
static inline const char *finding_role(const finding *f, uint32_t thread) {
    return thread < f->roles.count ? finding_text(f, vector_at(&f->roles, thread)) : "";
}

/* Appends the message with the thread that made the error: "abort called, in thread T2". */
void finding_headline(const finding *, text *out);

/* The error is not at the place of the last step, whose code leads to it: the table has a separate
 * row for it. */
bool finding_ends_elsewhere(const finding *);

/* File and line, the file relative to the current directory; false if unknown. */
bool finding_locate(const finding *, uint32_t place, const char **file, uint32_t *line);

/* From 1; 0 if unknown. */
uint32_t finding_column(const finding *, uint32_t place);

/* Appends "file.c:12", for text reports; or nothing. */
void finding_describe_place(const finding *, uint32_t place, text *out);

/* Appends "write p = 0x1808001010": what the step did, with addresses in hexadecimal. */
void finding_describe_step(const finding *, uint32_t step, text *out);

/* After this step the error could no longer be avoided. False for the last step, where that is no
 * information. */
bool finding_decides(const finding *, uint32_t step);

/* The step is an access of the race that the error is, or freed the block that is used. */
bool finding_is_about(const finding *, uint32_t step);

/* Appends "file.c:12:5", as editors and compilers write it, also for a program on the command line;
 * or nothing. */
void finding_describe_position(const finding *, uint32_t place, text *out);

/* An error of the program itself; not a call that heddle does not support, nor a step that was
 * abandoned. */
bool finding_is_bug(const finding *);

void finding_encode(const finding *, bytes *out);

/* Decodes a finding; nothing in it is trusted before it is checked. False: reading has failed, and
 * the finding is empty. */
bool finding_decode(finding *, byte_reader *);

#endif
