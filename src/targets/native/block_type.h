/* The type of a heap block, from the source line that allocates it: the variable that gets its
 * address and the operand of sizeof, both looked up in the debug information. If the two do not
 * fit, or the size is not a multiple of the type's, the type is unknown. */
#ifndef HEDDLE_TARGETS_NATIVE_BLOCK_TYPE_H
#define HEDDLE_TARGETS_NATIVE_BLOCK_TYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "targets/native/operand.h"
#include "targets/native/symbolize.h"

typedef struct block_type {
    uintptr_t return_address; /* of the call that allocates */
    bool known;
    char name[OPERAND_SIZE]; /* of the variable; or of the type */
    bool variable;
    Dwarf_Die type; /* of one element */
    uint64_t size;  /* of that */
    bool open;      /* and may go on: type_is_open */
} block_type;

/* Of blocks that are allocated by the call that returns to this address; NULL: it is not known. */
const block_type *block_type_find(symbolizer *, uintptr_t return_address);

/* Before the symbolizer is closed, which answers refer to. */
void block_type_forget(void);

#endif
