/* Abstract programs as C: the bridge between the two targets. Every operation of the abstract
 * program is exactly one operation of the C program (three for a wait, as in the model). */
#ifndef HEDDLE_TESTS_NATIVE_EMIT_H
#define HEDDLE_TESTS_NATIVE_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "targets/abstract/program.h"

/* Whether C can say it: awaits only as loops, joins only of threads that the thread itself spawned
 * before. */
bool emit_has_messages(const program *);
bool emit_has_loops(const program *);
bool emit_has_other_loops(const program *); /* than awaits */
bool emit_possible(const program *);

/* Where there are loops, a thread leaves its locals, which decide what it does next, in a variable
 * of its own when it ends: they are put together like this, and 1 comes last. */
#define EMIT_LOCALS_STEP(sum, local) ((sum)*31 + (local))

/* Functions for one program, named with `number`; emit_main then chooses by its first argument. */
void emit_prologue(FILE *out);
void emit_program(const program *, unsigned number, FILE *out);
void emit_main(unsigned count, FILE *out);

#endif
