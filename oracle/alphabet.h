/* The operations that enumerated programs are made of, and the renamings that change nothing: of
 * variables, of mutexes, and of the values written to a variable (0, with which it starts, keeps
 * its name). */
#ifndef HEDDLE_ORACLE_ALPHABET_H
#define HEDDLE_ORACLE_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/sketch.h"

/* One operation of a kind: up to four elements of a sketch, because of the brackets of sections. */
typedef struct letter {
    uint8_t count;
    sketch_op ops[4];
    uint32_t reads, writes; /* cells: variables, then mutexes */
    uint32_t accesses;      /* the elements but for the brackets */
} letter;

#define ALPHABET_LETTERS   96
#define ALPHABET_RENAMINGS 64
#define ALPHABET_VARIABLES 3
#define ALPHABET_MUTEXES   2
#define ALPHABET_VALUES    2

/* Kinds of letters: r read, w write, a fetch-add, c compare-and-swap, i await, l lock, u unlock,
 * k trylock, t trylock and unlock, s section, v section that varies. */
typedef struct alphabet_request {
    const char *kinds; /* one character each */
    uint32_t variables, mutexes, values;
} alphabet_request;

typedef struct alphabet {
    uint32_t count;
    letter letters[ALPHABET_LETTERS];
    uint32_t renaming_count; /* without the identity */
    uint8_t renamings[ALPHABET_RENAMINGS][ALPHABET_LETTERS];
} alphabet;

/* False: a character that is no kind, or a number beyond the bounds above. */
bool alphabet_build(alphabet *, const alphabet_request *);

#endif
