/* A schedule as a text file: what was run, and which thread took each step.
 *
 *     heddle schedule 1
 *     file examples/lost-update.heddle        or: program wx1 / rx / rx
 *     folder /home/me/project                 that file names are relative to
 *     define N=2                              any number of them
 *     flag -Iinclude                          for the compiler of C files
 *     argument 7                              of the program
 *     compiler clang                          if it is not the default
 *     level optimize                          if C files are
 *     races ignored                           if data races are no errors
 *     status checked                          if an exit status other than 0 is one
 *     svcomp unreach-call                     if that property was checked
 *     thread 0 main                           which thread a number means
 *     shared 0 72 8                           what turned out to be shared, as the target says it
 *     error assertion assertion failed …      what the replay should end with
 *     unavoidable 2                           after so many steps, if that is known
 *     step 0 spawn p
 *     step 1:2 choose -> 2                    thread 1 takes choice 2
 *     end 2                                   the number of steps, so that a cut file is noticed
 *
 * The words after a step say what the thread did; a replay compares them with what it does now, and
 * so notices when the program is not the one that was recorded. They may be left out. Lines that
 * are empty or begin with # are skipped. The algorithm is not part of a schedule: it does not
 * matter who found it. The function that writes one is schedule_write (report/writers/writers.h).
 */
#ifndef HEDDLE_REPORT_WRITERS_SCHEDULE_H
#define HEDDLE_REPORT_WRITERS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "base/text.h"
#include "base/vector.h"
#include "explore/step.h"
#include "report/finding.h"
#include "report/writers/writers.h"

#define SCHEDULE_VERSION 1

typedef struct schedule_step {
    step step;
    const char *description; /* "" if there is none */
} schedule_step;

/* Everything points into `contents`, which is the file with its line ends replaced. */
typedef struct schedule {
    text contents;
    settings settings;            /* what it is a schedule of */
    const char *error;            /* "assertion assertion failed …", or NULL */
    uint32_t unavoidable;         /* steps after which that is so, or FINDING_NO_STEP */
    VECTOR(const char *) threads; /* names, by number */
    VECTOR(const char *) shared;
    VECTOR(schedule_step) steps;
} schedule;

typedef struct schedule_fault {
    uint32_t line;
    char message[160];
} schedule_fault;

/* Takes the text over, also if it fails; schedule_free in both cases. */
bool schedule_read(schedule *, text contents, schedule_fault *);
void schedule_free(schedule *);

#endif
