/* What an access through a null pointer was meant for: "n->next", where n is NULL. Found by the
 * column of the source that the compiler gives for the access, and used only if its types lead to
 * the address. */
#ifndef HEDDLE_TARGETS_NATIVE_NULL_NAME_H
#define HEDDLE_TARGETS_NATIVE_NULL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/native/operand.h"

typedef struct null_name {
    char whole[OPERAND_SIZE];   /* "n->next" */
    char pointer[OPERAND_SIZE]; /* "n" */
} null_name;

/* By the code that was about to access this address. */
bool null_name_find(symbolizer *, uintptr_t return_address, uintptr_t address, bool writes,
                    null_name *);

#endif
