/* Variables of libraries that the program uses (optind, …). They are not restored between
 * executions, so an access to one is noted. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_FOREIGN_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/* `reached` gets the address that the first access returns to. */
void foreign_watch(uintptr_t low, size_t size, uintptr_t *reached);
void foreign_close(void);

/* An access to memory that is not the program's. */
void foreign_access(uintptr_t address, const void *return_address);

#endif
