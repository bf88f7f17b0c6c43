/* Addresses that are the same in every run: a program whose behaviour depends on them (it hashes or
 * compares pointers) would otherwise get different verdicts in different runs. */
#ifndef HEDDLE_TARGETS_NATIVE_FIXED_ADDRESSES_H
#define HEDDLE_TARGETS_NATIVE_FIXED_ADDRESSES_H

#include <stdbool.h>

/* Starts this process again, with the same arguments, without address space randomisation. Returns
 * if it is off already, or if the system does not permit turning it off. To be called first. */
void fixed_addresses(char **argv);

bool fixed_addresses_are_on(void);

#endif
