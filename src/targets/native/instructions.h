/* What an instruction of inline assembly does to memory, as far as heddle understands it. */
#ifndef HEDDLE_TARGETS_NATIVE_INSTRUCTIONS_H
#define HEDDLE_TARGETS_NATIVE_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* One instruction, without a label or comment before it; AT&T syntax. True: it touches no memory
 * that another thread could know, and does the same in every run: it computes in registers, or is
 * a fence, a pause, a prefetch. Directives and nothing at all are harmless, too. With `macros`, a
 * word that is not known may be the name of a macro. */
bool instruction_is_harmless(const char *text, bool macros);

/* The instruction is data of another section, of which nothing runs, or begins or ends that: from
 * .section NAME,"a" to .previous or .text. `elsewhere` is whether the one before it was. */
bool instruction_is_elsewhere(const char *text, bool *elsewhere);

/* The length of "name:" at the beginning, blanks included; 0 if there is no label. */
size_t instruction_label(const char *text);

/* The length of the name at the beginning: letters, digits and what compilers add to them. */
size_t instruction_name(const char *text);

/* Calls `visit` with each instruction of a line, without labels and comments; a string literal is
 * part of its directive. The line is changed. */
void instructions_in_line(char *line, void (*visit)(void *context, char *instruction),
                          void *context);

#endif
