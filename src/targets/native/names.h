/* What the native target calls threads, objects and locations in bytes that leave the process
 * (explore/target.h, target_names): addresses in the program's fixed space, and threads by where
 * they come from. */
#ifndef HEDDLE_TARGETS_NATIVE_NAMES_H
#define HEDDLE_TARGETS_NATIVE_NAMES_H

#include "explore/target.h"

extern const target_names native_names;

#endif
