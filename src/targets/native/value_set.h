/* Sets of integers, as ranges in ascending order that do not touch. */
#ifndef HEDDLE_TARGETS_NATIVE_VALUE_SET_H
#define HEDDLE_TARGETS_NATIVE_VALUE_SET_H

#include <stdbool.h>
#include <stdint.h>

typedef __int128 wide_integer;

enum { VALUE_SET_MAX = 12 };

typedef struct value_set {
    uint32_t count;
    bool failed; /* it would have more ranges */
    struct {
        wide_integer low, high;
    } items[VALUE_SET_MAX];
} value_set;

value_set value_set_of(wide_integer low, wide_integer high);
value_set value_set_both(const value_set *, const value_set *);
value_set value_set_either(const value_set *, const value_set *);

/* Those of the first that are not in the second. */
value_set value_set_without(const value_set *, const value_set *);

/* How many values it has, or `most` if it has more. */
uint32_t value_set_size(const value_set *, uint32_t most);

#endif
