/* The symbols of object files and archives: which the program defines, which it wants; and
 * the notes in them. */
#ifndef HEDDLE_TARGETS_NATIVE_OBJECTS_H
#define HEDDLE_TARGETS_NATIVE_OBJECTS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vector.h"

typedef struct object_symbol {
    char *name;
    bool defined; /* by some object */
    bool wanted;  /* by some object that does not define it */
    bool needed;  /* so that linking fails without it: not by weak references only */
    bool called;  /* by an instruction, so that it is a function */
    bool watched; /* for thunks.c */
} object_symbol;

typedef struct object_symbols {
    VECTOR(object_symbol) items;
    hash_index indices; /* of items, by their names */
} object_symbols;

/* Adds the symbols of one file; false if it cannot be read as an object or archive. */
bool objects_read(object_symbols *, const char *path);

void objects_free(object_symbols *);

/* Visits the variables whose names begin with `prefix`: address and size. */
bool objects_visit_symbols(const char *path, const char *prefix,
                           void (*visit)(void *context, uintptr_t address, uintptr_t size),
                           void *context);

/* Calls `visit` with the ELF file at `path`; false if it cannot be opened. `flags` as of open. */
bool objects_open(const char *path, int flags, bool (*visit)(void *context, int file, Elf *),
                  void *context);

/* The header of the section of that name; false if there is none. */
bool objects_section(Elf *, const char *name, GElf_Shdr *);

object_symbol *objects_find(const object_symbols *, const char *name);

/* A symbol that an object, or a member of an archive, defines for others. */
typedef struct foreign_symbol {
    const char *member; /* its name in an archive, or "" */
    const char *name;
    bool function;
    bool leads_to_code; /* a variable of an object in which variables point to functions */
} foreign_symbol;

/* Visits what is defined by objects that do not have this section, or have functions for others
 * that it does not name. */
bool objects_visit_foreign(const char *path, const char *section,
                           void (*visit)(void *context, const foreign_symbol *), void *context);

#endif
