/* Texts of the program, in reports. */
#ifndef HEDDLE_TARGETS_NATIVE_QUOTATION_H
#define HEDDLE_TARGETS_NATIVE_QUOTATION_H

#include <stdbool.h>
#include <stddef.h>

/* "hello": at most `most` characters of a text, as C writes them, and "..." after the first ones of
 * a long text. False if it is none. */
bool quotation(const char *text, size_t most, char *words, size_t size);

#endif
