/* Sentences in lines of a given width: for help, explanations and reports. */
#ifndef HEDDLE_REPORT_WRITERS_PARAGRAPH_H
#define HEDDLE_REPORT_WRITERS_PARAGRAPH_H

#include <stdint.h>
#include <stdio.h>

/* Prints the words, broken at blanks. `column` is the current column; the first word is printed at
 * column `first`, on a new line if that is not further right; the lines after it begin at
 * `indent`. */
void paragraph_continue(const char *words, uint32_t column, uint32_t first, uint32_t indent,
                        uint32_t width, FILE *out);

/* On lines of its own; those after the first are indented by two more. */
void paragraph_hanging(const char *words, uint32_t indent, uint32_t width, FILE *out);

/* On lines of its own. */
void paragraph_print(const char *words, uint32_t indent, uint32_t width, FILE *out);

#endif
