/* Whether an access lies in a live object of the program: a block of the heap that was not freed, a
 * variable and not the gap after it, a frame that has not been left, a stack whose thread has not
 * ended. Checked right before the access is done, so that an invalid access never happens.
 *
 * The usual case is space_holds (space.h), inlined where accesses are announced; what it does not
 * answer comes here. Memory of libraries is theirs: heddle does not know their objects. Addresses
 * where nothing is mapped are left to the processor, whose fault is reported as a crash. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_VALIDITY_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_VALIDITY_H

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/space.h"

/* Where a bad address is. */
enum validity_place {
    PLACE_HEAP,     /* a block, or beside one */
    PLACE_GLOBAL,   /* after a variable */
    PLACE_STACK,    /* of `owner`: a frame that was left */
    PLACE_ABOVE,    /* beyond the first frame of `owner` */
    PLACE_ENDED,    /* of `owner`, which has ended */
    PLACE_CONSTANT, /* of the program */
    PLACE_NOWHERE,  /* no memory of the program */
};

typedef struct validity_report {
    enum error_kind kind;
    enum validity_place place;
    uintptr_t address; /* of the access */
    size_t size;
    uint8_t mode;
    uintptr_t bad; /* the first byte that must not be accessed */
    uint32_t owner;
    const char *freeing; /* "free" or "realloc", if it is no access */
} validity_report;

/* Makes the message; set by the target, which knows names and lines. */
extern void (*validity_describe)(const validity_report *report, char *text, size_t size);

void validity_open(void);

/* Slowly. */
bool validity_good(const runtime_thread *t, uintptr_t address, size_t size, uint8_t mode);

/* End the fiber with the error. */
_Noreturn void validity_fail(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                             uint32_t location);
/* The thread's own stack, below its stack pointer. */
_Noreturn void validity_fail_dead(runtime_thread *t, uintptr_t address, size_t size,
                                  const void *return_address);
_Noreturn void validity_fail_free(runtime_thread *t, uintptr_t address, uint32_t location,
                                  const char *what);

/* The access is about to be done. */
static inline void validity_check(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                                  uint32_t location) {
    if (unlikely(!space_holds(address, size)) && unlikely(size) &&
        unlikely(!validity_good(t, address, size, mode))) {
        validity_fail(t, address, size, mode, location);
    }
}

#endif
