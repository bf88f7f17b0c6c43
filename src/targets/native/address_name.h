/* Names for addresses of a C program: variables, heap blocks, locals, and their parts. */
#ifndef HEDDLE_TARGETS_NATIVE_ADDRESS_NAME_H
#define HEDDLE_TARGETS_NATIVE_ADDRESS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/native/symbolize.h"
#include "targets/native/types.h"

enum { NAME_SIZE = 160 };

/* How much of a name distinguishes things of the same name. Races on blocks that different threads
 * have allocated at one place are one. */
enum address_naming { NAMES_FULL, NAMES_OF_RACES, NAMES_BARE };

/* Names come from there; NULL: the program is unloaded. */
void address_name_open(symbolizer *);

/* A granule may hold several variables: names what the accessed bytes belong to; there are `count`
 * of them, or an unknown number if it is 0. */
void address_name_object(uint32_t object, uint8_t bytes, uint32_t count, enum address_naming,
                         char *name, size_t size);

/* The block or local that it is in; false if it is in neither. */
bool address_name_whole(uintptr_t address, char *name, size_t size);

/* The part that an access of this size at this address is to, and where in it that is. */
bool address_part(uintptr_t address, uint64_t size, Dwarf_Die *type, uint64_t *inside);

bool address_is_local(uintptr_t address);

/* NULL, the name of what a pointer of this type (NULL: unknown) points to, or the address itself.
 */
void address_describe_pointer(uint64_t value, Dwarf_Die *type, char *words, size_t size);

#endif
