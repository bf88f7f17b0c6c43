/* Expressions such as "q->items[i].next" in the program's source, looked up in its debug
 * information. Only what has this form is understood: no calls, casts or arithmetic. */
#ifndef HEDDLE_TARGETS_NATIVE_OPERAND_H
#define HEDDLE_TARGETS_NATIVE_OPERAND_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/native/symbolize.h"

enum { OPERAND_SIZE = 160, OPERAND_LINE_SIZE = 512 };

/* The line of the source that this code comes from; false if it cannot be read. */
bool operand_line(symbolizer *, uintptr_t return_address, char *line);

/* The same, that many lines further. */
bool operand_line_after(symbolizer *, uintptr_t return_address, uint32_t count, char *line);

/* The word at this place; returns the place after it. */
const char *operand_take_word(const char *text, char *word);

/* The beginning of "q->items[i]" that ends here, without what is declared before it. */
const char *operand_start(const char *line, const char *end);

enum operand_sort { OPERAND_VARIABLE, OPERAND_STRUCT, OPERAND_TYPE_NAME };

/* By its name, from the innermost scope of the code outwards. */
bool operand_find(Dwarf_Die *unit, Dwarf_Addr code, enum operand_sort, const char *name,
                  Dwarf_Die *found);

typedef struct operand {
    const char *text;
    Dwarf_Die type;
    size_t
        pointer_length; /* of the last pointer in it that is followed, "q" of "q->x.y"; 0: none */
    uint64_t offset;    /* from where that points to */
    bool indexed;       /* and some elements further */
} operand;

bool operand_resolve(Dwarf_Die *unit, Dwarf_Addr code, const char *words, operand *);

#endif
