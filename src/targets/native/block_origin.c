#include "targets/native/block_origin.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "targets/native/block_type.h"
#include "targets/native/types.h"
#include "targets/runtime/kernel/location.h"

enum answer { UNKNOWN, HANDED_ON, KEPT };
enum { MOST_LINES = 60 };

static VECTOR(uint8_t) answers; /* by location */

void block_origin_forget(void) {
    vector_free(&answers);
}

/* The function that this code is in, and nothing that was inlined into it. */
static bool function_of(symbolizer *s, Dwarf_Addr code, Dwarf_Die *function) {
    Dwarf_Die unit, *scopes = NULL;
    int count = symbolizer_unit(s, &code, &unit) ? dwarf_getscopes(&unit, code, &scopes) : 0;
    int tag = DW_TAG_lexical_block;
    for (int i = 0; i < count && tag == DW_TAG_lexical_block; i++) {
        *function = scopes[i];
        tag = dwarf_tag(function);
    }
    free(scopes);
    return tag == DW_TAG_subprogram;
}

/* "return (p);" */
static bool returns(const char *line, const char *name) {
    char word[OPERAND_SIZE];
    const char *at = operand_take_word(line + strspn(line, " \t"), word);
    if (strcmp(word, "return") != 0) {
        return false;
    }
    at = operand_take_word(at + strspn(at, " ("), word);
    return strcmp(word, name) == 0 && at[strspn(at, " )")] == ';';
}

/* The function, which ends where a brace is the first in its line, returns the variable. */
static bool is_returned(symbolizer *s, uintptr_t return_address, const char *name) {
    char line[OPERAND_LINE_SIZE];
    bool found = false;
    for (uint32_t i = 0; i < MOST_LINES && !found; i++) {
        if (!operand_line_after(s, return_address, i, line) || *line == '}') {
            break;
        }
        found = returns(line, name);
    }
    return found;
}

/* Nothing is known of the block, or only that it has bytes, which the function returns. */
static bool is_open(symbolizer *s, uintptr_t return_address) {
    const block_type *b = block_type_find(s, return_address);
    return !b || (b->size == 1 && b->variable && is_returned(s, return_address, b->name));
}

static bool is_handed_on(symbolizer *s, uintptr_t return_address) {
    Dwarf_Die function, type, pointee;
    return is_open(s, return_address) && function_of(s, return_address - 1, &function) &&
           type_of_die(&function, &type) && type_is_pointer(&type) && !type_of_die(&type, &pointee);
}

static bool hands_on(symbolizer *s, uint32_t location) {
    while (answers.count <= location) {
        vector_push(&answers, UNKNOWN);
    }
    if (vector_at(&answers, location) == UNKNOWN) {
        bool handed_on = s && is_handed_on(s, location_address(location));
        vector_at(&answers, location) = handed_on ? HANDED_ON : KEPT;
    }
    return vector_at(&answers, location) == HANDED_ON;
}

uint32_t block_origin(symbolizer *s, const heap_header *block) {
    uint32_t origin = block->allocated;
    for (uint32_t i = 0; i < HEAP_CALLERS && block->callers[i] && hands_on(s, origin); i++) {
        origin = block->callers[i];
    }
    return origin;
}
