/* Programs that once showed a difference. Files of text: a line is a program, in either notation;
 * lines that begin with # are comments. */
#ifndef HEDDLE_ORACLE_REGRESSIONS_H
#define HEDDLE_ORACLE_REGRESSIONS_H

#include <stdint.h>

#include "oracle/differ.h"

/* Writes the program into a file of its own; says so. */
void regressions_store(const char *directory, const char *text, const difference *);

/* Tests all programs of a file, or of all files of a directory, under all policies. Returns how
 * many showed a difference, and adds to `tested`. A path that does not exist has no programs. */
uint64_t regressions_replay(const char *path, const defendant *, uint32_t defendant_count,
                            uint64_t *tested);

#endif
