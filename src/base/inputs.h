/* What a program has read from outside: environment variables, its standard input, files. Each is a
 * line that names it and has a checksum, so that it can be compared with what is there later:
 *
 *     variable LIMIT 7f3a…     or "variable LIMIT unset"
 *     environment 81c0…        all variables, except those that every shell changes
 *     input 5d2e…              the standard input, to its end
 *     file 90ab… data.txt      or "file error-2 data.txt", if it could not be opened
 *
 * An exploration is one only as long as these stay the same (cli/inputs.h). */
#ifndef HEDDLE_BASE_INPUTS_H
#define HEDDLE_BASE_INPUTS_H

#include <stddef.h>

#include "base/text.h"

#define INPUT_VARIABLE    "variable "
#define INPUT_ENVIRONMENT "environment "
#define INPUT_STANDARD    "input "
#define INPUT_FILE        "file "

/* Append the line; the first two read the environment of this process. */
void input_of_variable(text *line, const char *name);
void input_of_environment(text *line);
void input_of_standard(text *line, const void *data, size_t size);
void input_of_file(text *line, const char *path, int error, const void *data, size_t size);

#endif
