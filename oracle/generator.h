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

/* Which programs are drawn. */
typedef struct generator_request {
    uint64_t seed;
    uint32_t kind; /* GENERATOR_ANY_KIND: as the table says */
    uint32_t size; /* in percent of what the table says; 0: 100 */
} generator_request;

#define GENERATOR_ANY_KIND UINT32_MAX

/* Program number `index`; returns its kind. */
uint32_t generator_program(const generator_request *, uint64_t index, sketch *);

#endif
