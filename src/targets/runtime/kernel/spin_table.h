/* Local states of threads, and what steps do from there: tables of spin.h that outlive executions.
 *
 * A local state is the stack of a parked thread from its stack pointer up (with what the compiler
 * has saved of registers), where it is going to continue, its errno and, if the program looks at
 * clocks, its time. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TABLE_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_TABLE_H

#include "targets/runtime/kernel/runtime.h"

#define SPIN_NONE UINT32_MAX

/* What a step has read: bytes of a granule; of a synchronisation object, whether it is held; or a
 * part of libc's hidden state. */
typedef struct spin_read {
    uintptr_t address; /* of the granule; of an object or a part: its number */
    uint64_t value;
    uint8_t bytes; /* 0: of a synchronisation object or a part */
    bool hidden;   /* a part */
    bool plain;    /* in passing */
    bool made;     /* the step has written it itself before */
    bool looked;   /* by an operation, */
    bool writes;   /* which may write there */
    bool guarded;  /* while the step held the mutex that it locks, and only then */
} spin_read;

/* What a thread does whose try is made to fail (spin_observers.h). */
typedef struct spin_failure {
    spin_place head;   /* its local state when it had given back: */
    uint32_t released; /* so many locks, the latest that it has taken; */
    bool returns;      /* it has come back to the try, and nothing has changed */
    bool reads;        /* on the way it has read memory that others may write */
} spin_failure;

/* What a step from a local state does, if what it reads is this. */
typedef struct spin_outcome {
    uint32_t first_read, read_count;
    uint32_t next;    /* the local state that it leads to; SPIN_NONE: it has an effect */
    bool reads_plain; /* some of it in passing */
    uint32_t mutex;   /* held meanwhile, + 1: a lock, up to its unlock; 0: none */
    bool times_out;   /* on the way, a wait that nobody ends */
    bool fails;       /* the step is a try that is made to fail: */
    spin_failure failure;
} spin_outcome;

void spin_table_close(void);

/* The number of the local state of a parked thread; SPIN_NONE: there are too many. */
uint32_t spin_number(const runtime_thread *t);

/* The same of a running one, in a frame of the program from which the runtime was called: where
 * that continues, and the registers that a call preserves. */
#ifdef __x86_64__
enum { SPIN_REGISTERS = 6 };
#else
enum { SPIN_REGISTERS = 11 };
#endif
extern const int spin_registers_preserved[SPIN_REGISTERS]; /* as DWARF numbers them */

typedef struct spin_frame {
    uintptr_t resume, stack_pointer, registers[SPIN_REGISTERS];
} spin_frame;

uint32_t spin_number_in(const runtime_thread *t, const spin_frame *frame, uint32_t location);

/* The content of a local state, valid until the next is added, and its time, which is kept apart.
 */
typedef struct spin_bytes {
    const unsigned char *bytes;
    size_t size;
    uint64_t time;
} spin_bytes;

spin_bytes spin_bytes_of(uint32_t number);

/* A hash of the local state; the second without errno, which is meaningless unless something
 * failed. */
uint64_t spin_hash(const runtime_thread *t);
uint64_t spin_shape(const runtime_thread *t);

/* What is known about a step from that state in the current memory, or NULL. */
const spin_outcome *spin_find_outcome(uint32_t state);
const spin_outcome *spin_find_failure(uint32_t state);
/* False: too many outcomes are known from that state to add another. */
bool spin_has_room(uint32_t state);
void spin_add_outcome(uint32_t state, const spin_outcome *, const spin_read *reads);
const spin_read *spin_reads_of(const spin_outcome *);

/* What bytes of a granule hold now, the others 0. */
uint64_t spin_value(uintptr_t granule, uint8_t bytes);

/* What a try of a lock or a semaphore would see. */
uint64_t spin_sync_value(uint32_t sync);

#endif
