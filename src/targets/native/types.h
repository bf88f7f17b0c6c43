/* Types of the program's variables, from its debug information: parts by name, values as the
 * program means them. */
#ifndef HEDDLE_TARGETS_NATIVE_TYPES_H
#define HEDDLE_TARGETS_NATIVE_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a variable, member or element, or what a pointer points to, without qualifiers and
 * names, but for those of types that stand for threads. */
bool type_of_die(Dwarf_Die *, Dwarf_Die *type);

uint64_t type_size(Dwarf_Die *type);

/* A struct that ends with an array without a size, and so may go on beyond its own size. */
bool type_is_open(Dwarf_Die *type);

/* Which of the parts that begin at one address is meant: the one that a pointer points to, or that
 * an access of this size is to. */
typedef struct type_goal {
    bool pointer; /* to something of this type; */
    bool known;   /* false: void */
    Dwarf_Die type;
    uint64_t size; /* 0: not known */
} type_goal;

/* From the whole down to the part at `offset`, whose name is appended and whose type takes the
 * place of the whole's: the one that is meant, or else the smallest. Returns where in that part it
 * is. */
uint64_t type_descend(Dwarf_Die *type, uint64_t offset, const type_goal *, char *name, size_t size);

bool type_is_pointer(Dwarf_Die *type);

/* pthread_t and its like. */
bool type_is_handle(Dwarf_Die *type);

/* A char, signed or not. */
bool type_is_character(Dwarf_Die *type);

/* A number with its sign, a character, a truth value, a real number, a name of an enumeration;
 * false for others. */
bool type_describe_value(Dwarf_Die *type, uint64_t value, char *words, size_t size);

/* "1, 0": the bit-fields of a struct that have bits in these bytes, or the members of a union of
 * which any may be meant. False if there are none. */
bool type_describe_fields(Dwarf_Die *type, uint64_t offset, uint64_t bytes, uint64_t value,
                          char *words, size_t size);

#endif
