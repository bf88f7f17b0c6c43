/* Words of a command line as bytes, for files and messages: unchanged, because they may contain
 * anything except NUL. */
#ifndef HEDDLE_CLI_TEXTS_H
#define HEDDLE_CLI_TEXTS_H

#include "base/bytes.h"
#include "base/text.h"

void text_put_raw(bytes *out, const char *string);
void texts_put(bytes *out, const text_list *);

/* Appended. */
void text_take_raw(byte_reader *, text *out);
void texts_take(byte_reader *, text_list *);

#endif
