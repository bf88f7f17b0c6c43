/* Types of the program's variables, from its debug information: parts by name, values as the
 * program means them. */
#ifndef HEDDLE_TARGETS_NATIVE_TYPES_H
#define HEDDLE_TARGETS_NATIVE_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a variable, member or element, or what a pointer points to, without qualifiers and
 * names. */
bool type_of_die(Dwarf_Die *, Dwarf_Die *type);

uint64_t type_size(Dwarf_Die *type);

/* From the whole down to the part at `offset`, whose name is appended and whose type takes the
 * place of the whole's. Returns where in that part it is. */
uint64_t type_descend(Dwarf_Die *type, uint64_t offset, char *name, size_t size);

bool type_is_pointer(Dwarf_Die *type);

/* A char, signed or not. */
bool type_is_character(Dwarf_Die *type);

/* A number with its sign, a character, a truth value, a real number, a name of an enumeration;
 * false for others. */
bool type_describe_value(Dwarf_Die *type, uint64_t value, char *words, size_t size);

#endif
