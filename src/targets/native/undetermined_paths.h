/* The values of an undetermined integer that represent all others.
 *
 * All paths from the call are followed, by the values with which they are taken: a comparison with
 * a constant divides them. A path ends where
 *
 * - the value is seen otherwise: each of those that come there has to be tried;
 * - the function returns, the program ends, or the value is made anew: those that arrive there
 * differ in nothing that was tested, and one of them represents all.
 *
 * So `n = nondet(); assume(0 <= n && n < 4)` is a choice of four values and one that is refused. A
 * function that does not return if its argument is zero, assume_abort_if_not, is known by its code.
 * A value that is stored in a variable, and what is read from there, is followed until something
 * happens that is not understood; that others do not see the variable meanwhile is true as long as
 * there is one thread, which the runtime knows. A value that is converted to another type at once
 * (`int n = __VERIFIER_nondet_uint()`) is followed as what it is converted to.
 *
 * Rejected: symbolic execution. Here a value that is computed with is tried, or left to chance. */
#ifndef HEDDLE_TARGETS_NATIVE_UNDETERMINED_PATHS_H
#define HEDDLE_TARGETS_NATIVE_UNDETERMINED_PATHS_H

#include "targets/native/gimple.h"
#include "targets/native/value_set.h"

enum { UNDETERMINED_MOST_VALUES = 1024 };

typedef struct undetermined_values {
    value_set tried;
    bool alone; /* only as long as there is one thread */
} undetermined_values;

/* What to try of the result of the call in that statement, which has a type of so many bits; false:
 * nothing is known. */
bool undetermined_follow(const gimple_functions *, const gimple_function *, uint32_t statement,
                         unsigned bits, bool is_signed, undetermined_values *);

#endif
