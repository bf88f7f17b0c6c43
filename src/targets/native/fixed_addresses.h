/* Addresses that are the same in every run: a program whose behaviour depends on them (it hashes or
 * compares pointers) would otherwise get one verdict today and another one tomorrow. */
#ifndef HEDDLE_TARGETS_NATIVE_FIXED_ADDRESSES_H
#define HEDDLE_TARGETS_NATIVE_FIXED_ADDRESSES_H

#include <stdbool.h>

/* Starts this process again, with the same arguments, without address space randomisation. Returns
 * if it is off already, or where the system does not permit to switch it off. To be called before
 * anything has happened. */
void fixed_addresses(char **argv);

bool fixed_addresses_are_on(void);

#endif
