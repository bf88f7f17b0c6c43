/* Seeded random programs, small enough for brute force and hard enough to be worth it.
 *
 * Program number i of seed s is always the same, whatever the number of workers. A program belongs
 * to a kind, which says what it is made of; the table of kinds is in generator.c.
 *
 * Generated programs do not misuse locks (an unlock is reached only if its lock was), except for a
 * few percent that do so deliberately. */
#ifndef HEDDLE_ORACLE_GENERATOR_H
#define HEDDLE_ORACLE_GENERATOR_H

#include <stdint.h>

#include "oracle/sketch.h"

uint32_t generator_kind_count(void);
const char *generator_kind_name(uint32_t kind);

/* Program number `index` of the seed: its kind, unless `wanted_kind` is one (UINT32_MAX: any). */
uint32_t generator_program(uint64_t seed, uint64_t index, uint32_t wanted_kind, sketch *);

#endif
