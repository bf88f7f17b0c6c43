/* One-line programs, the shorthand for tests, fuzzing and conversation: `wx1 / rx / rx`.
 * docs/LANGUAGE.md describes the notation.
 *
 * The text compiles to the same `program` as a *.heddle file. Only cells that occur are created:
 * variables in the order x y z u v w, then mutexes m0, m1, …, then conditions c0, c1, …; threads
 * are named p0, p1, …. Register 0 is a thread's last value, register 1 holds what `tN` obtained. */
#ifndef HEDDLE_TARGETS_ABSTRACT_ONELINE_H
#define HEDDLE_TARGETS_ABSTRACT_ONELINE_H

#include <stdbool.h>

#include "targets/abstract/parse_error.h"
#include "targets/abstract/program.h"

/* Initialises the program and fills it from the text. If the text is wrong: false, the error says
 * where and why, and the program is empty and released (program_free is harmless). */
bool oneline_parse(program *, const char *text, parse_error *);

#endif
