/* Arguments in files, as compilers take them: @FILE stands for the words in it, which blanks
 * separate, and in which quotes and backslashes work as in a shell. Builds use it for long lists
 * of objects. */
#ifndef HEDDLE_TARGETS_NATIVE_RESPONSE_FILE_H
#define HEDDLE_TARGETS_NATIVE_RESPONSE_FILE_H

#include "base/text.h"

/* Adds the arguments, with the words of a file in the place of @FILE; if it cannot be read, the
 * argument remains. Files in files are replaced as well, `depth` deep. */
void response_file_expand(text_list *words, const char *argument, uint32_t depth);

#endif
