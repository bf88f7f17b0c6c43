/* Parts of mappings whose pages are not both readable and writable: unmapped, or protected. A
 * mapping is one block of the heap (libc/mapping.c), which such a part does not divide: munmap and
 * mprotect write to the object of the block's header, which every access to the block reads.
 *
 * The parts are sorted and do not overlap; equal neighbours are merged. They are a hidden part
 * (hidden.h): restored and compared with it.
 *
 * Rejected: a header in front of each part, as it has no room where one follows the other. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_MAPPING_PARTS_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_MAPPING_PARTS_H

#include <stdbool.h>
#include <stdint.h>

enum { MAPPING_PARTS_MAX = 256 };

enum mapping_state { MAPPING_ORDINARY, MAPPING_READABLE, MAPPING_PROTECTED, MAPPING_UNMAPPED };

typedef struct mapping_part {
    uintptr_t low, high;
    enum mapping_state state;
    uint16_t thread; /* made it so, there */
    uint32_t location;
} mapping_part;

typedef struct mapping_parts {
    uint32_t count;
    mapping_part items[MAPPING_PARTS_MAX];
} mapping_parts;

/* The program is loaded: what its constructors have done is so in every execution. */
void mapping_parts_open(void);
void mapping_parts_reset(void);

/* What these pages are from now on; false if there would be too many parts. */
bool mapping_parts_set(mapping_part part);

/* The part that the address lies in; or NULL: it is ordinary. */
const mapping_part *mapping_parts_at(uintptr_t address);

/* The first byte from `low` on, below `high`, that must not be accessed in this way; or `high`. */
uintptr_t mapping_parts_bad(uintptr_t low, uintptr_t high, uint8_t mode);

/* Shortens [low, high) to the ordinary bytes around the address, or to nothing. */
void mapping_parts_around(uintptr_t address, uintptr_t *low, uintptr_t *high);

/* Some byte is unmapped; all are. */
bool mapping_parts_has_hole(uintptr_t low, uintptr_t high);
bool mapping_parts_gone(uintptr_t low, uintptr_t high);

#endif
