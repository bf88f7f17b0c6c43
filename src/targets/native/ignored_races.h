/* Data races that the user wants to ignore (--ignore-race): by the place of one of the two
 * accesses, FILE:LINE or a function, or by the variable; and those that the program calls benign
 * (sync/benign.h). */
#ifndef HEDDLE_TARGETS_NATIVE_IGNORED_RACES_H
#define HEDDLE_TARGETS_NATIVE_IGNORED_RACES_H

#include "base/settings.h"

void ignored_races_open(const string_list *places);
void ignored_races_close(void);

/* How many there were, if there were any. */
void ignored_races_warn(void (*warn)(void *, const char *), void *context);

#endif
