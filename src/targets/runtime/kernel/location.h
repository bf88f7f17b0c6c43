/* Places in the program: a small number for each return address from which an operation was
 * announced. A table that mirrors the program's text makes the look-up one load. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_LOCATION_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_LOCATION_H

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/space.h"

/* In the table: this call announces the destination of a struct copy; its source follows. */
#define LOCATION_COMPOUND (1u << 31)
/* Its plain accesses are steps, because they race; or will be (passing.h). */
#define LOCATION_PROMOTED (1u << 30)
#define LOCATION_WANTED   (1u << 29)
#define LOCATION_MARKS    (LOCATION_COMPOUND | LOCATION_PROMOTED | LOCATION_WANTED)
#define LOCATION_NONE     0u

_Static_assert((LOCATION_MARKS & (LOCATION_WANTED - 1)) == 0, "marks are above all numbers");

extern uint32_t *location_table;

void location_open(void);
void location_close(void);
uint32_t location_new(uintptr_t offset);
void location_mark_compound(uintptr_t offset);

/* Where the places are in the file of the program, for the supervisor after the process has died.
 * */
typedef struct location_list {
    uintptr_t base; /* of the program in memory */
    uintptr_t addresses[8191];
} location_list;

extern location_list location_witness;

/* The return address of a location, or 0. */
uintptr_t location_address(uint32_t location);

/* The location of code that is not the program's: LOCATION_NONE, with marks. */
extern uint32_t location_outside;

/* With its marks. */
static inline uint32_t location_entry(const void *return_address) {
    uintptr_t offset = (uintptr_t)return_address - space.text_low;
    if (unlikely(offset >= space.text_size)) {
        return location_outside;
    }
    uint32_t entry = location_table[offset];
    return likely(entry & ~LOCATION_MARKS) ? entry : location_new(offset);
}

static inline uint32_t location_of(const void *return_address) {
    return location_entry(return_address) & ~LOCATION_MARKS;
}

#define LOCATION_HERE() location_of(__builtin_return_address(0))

#endif
