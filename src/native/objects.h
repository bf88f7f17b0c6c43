/* The symbols of object files and archives: which the program defines, which it wants. */
#ifndef HEDDLE_NATIVE_OBJECTS_H
#define HEDDLE_NATIVE_OBJECTS_H

#include <stdbool.h>

#include "base/vector.h"

typedef struct object_symbol {
    char *name;
    bool defined; /* by some object; otherwise only wanted */
} object_symbol;

typedef struct object_symbols {
    VECTOR(object_symbol) items;
    VECTOR(uint32_t) slots; /* hash table: index + 1 */
} object_symbols;

/* Adds the symbols of one file; false if it cannot be read as an object or archive. */
bool objects_read(object_symbols *, const char *path);

/* Adds the names of variables only, also of static ones. */
bool objects_read_data(object_symbols *, const char *path);
void objects_free(object_symbols *);

#endif
