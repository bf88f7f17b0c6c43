/* The symbols of object files and archives: which the program defines, which it wants; and
 * the notes in them. */
#ifndef HEDDLE_NATIVE_OBJECTS_H
#define HEDDLE_NATIVE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

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

/* Adds the symbols that a shared library offers and wants. */
bool objects_read_dynamic(object_symbols *, const char *path);

/* Adds the names of variables only, also of static ones. */
bool objects_read_data(object_symbols *, const char *path);
void objects_free(object_symbols *);

/* An object, or a member of an archive. */
typedef struct object_part {
    const char *member; /* its name in an archive, or "" */
    bool has_code;
    const char *section; /* contents of the section asked for, not terminated; NULL: it has none */
    size_t section_size;
} object_part;

/* Visits the object, or every member of the archive. */
bool objects_visit(const char *path, const char *section,
                   void (*visit)(void *context, const object_part *), void *context);

/* Where an object calls or otherwise names this function: "file.c:12", if its debug information
 * tells. Not for archives. */
bool objects_place_of(const char *path, const char *name, char *place, size_t size);

#endif
