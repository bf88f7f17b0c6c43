/* Names for reports: source lines of code addresses, variables of data addresses, from the
 * program's debug information (libdw). Used only for errors and reports, never for events. */
#ifndef HEDDLE_TARGETS_NATIVE_SYMBOLIZE_H
#define HEDDLE_TARGETS_NATIVE_SYMBOLIZE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/native/types.h"

typedef struct symbolizer symbolizer;

/* The file may be removed afterwards. NULL: no debug information is available. */
symbolizer *symbolizer_open(const char *path, uintptr_t base);
void symbolizer_close(symbolizer *);

/* The program, and what a walk along a stack adds to it (frames.h). */
Dwfl *symbolizer_modules(symbolizer *);

/* The line of the call that returns to this address. */
bool symbolizer_line(symbolizer *, uintptr_t return_address, const char **file, uint32_t *line);

/* "bank.c:12", "a/util.c:2" if the program has several util.c; false if it is not known. */
bool symbolizer_place(symbolizer *, uintptr_t return_address, char *place, size_t size);

/* Its column, from 1; 0 if unknown. */
uint32_t symbolizer_column(symbolizer *, uintptr_t return_address);

/* "x", "queue.head", "table[3].next": the variable at this address, or a part of it. */
bool symbolizer_variable(symbolizer *, uintptr_t address, const type_goal *, char *name,
                         size_t size);

/* The variable at this offset in the block of thread-local variables that each thread has. */
bool symbolizer_thread_local(symbolizer *, uintptr_t offset, uintptr_t *start, uint64_t *size,
                             Dwarf_Die *);

/* The smallest part of a variable that contains this address, and where in it that is. */
bool symbolizer_part(symbolizer *, uintptr_t address, const type_goal *, Dwarf_Die *type,
                     uint64_t *inside);

/* The debug information of the source that this code comes from; `code` is as it has addresses. */
bool symbolizer_unit(symbolizer *, Dwarf_Addr *code, Dwarf_Die *unit);

/* The variable that is nearest to an address which belongs to none: its name, start and size. */
bool symbolizer_nearest(symbolizer *, uintptr_t address, char *name, size_t size, uintptr_t *start,
                        size_t *variable_size);

/* The function that this address is in; NULL if unknown. */
const char *symbolizer_function(symbolizer *, uintptr_t address);

/* Right after its code; 0 if unknown. */
uintptr_t symbolizer_function_end(symbolizer *, uintptr_t address);

/* Functions of the program with this name, static ones too: how many, and where one is. */
uint32_t symbolizer_find_function(symbolizer *, const char *name, uintptr_t *address);

#endif
