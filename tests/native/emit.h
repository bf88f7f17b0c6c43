/* Abstract programs as C: the bridge between the two targets. Every operation of the abstract
 * program is exactly one operation of the C program (three for a wait, as in the model). */
#ifndef HEDDLE_TESTS_NATIVE_EMIT_H
#define HEDDLE_TESTS_NATIVE_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "targets/abstract/program.h"

/* Whether C can say it: no await, joins only of threads that the thread itself spawned before. */
bool emit_has_messages(const program *);
bool emit_possible(const program *);

/* Functions for one program, named with `number`; emit_main then chooses by its first argument. */
void emit_prologue(FILE *out);
void emit_program(const program *, unsigned number, FILE *out);
void emit_main(unsigned count, FILE *out);

#endif
