/* What libc and the kernel keep for the process: functions to be called at the exit, signal
 * handlers, the environment, open files. Here it is heddle's memory. Each part
 *
 * - is an object: a step that reads or changes it is atomic and conflicts with others that change
 *   it, so that it is the same in equivalent executions; libc protects it with locks, so there are
 *   no races on it;
 * - holds zeroes when an execution begins, or what constructors have made of it, and belongs to its
 *   state.
 *
 * A program that never changes a part pays nothing for it. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_HIDDEN_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_HIDDEN_H

#include <stdio.h>

#include "targets/runtime/kernel/runtime.h"

#define HIDDEN_PARTS(X)                                      \
    X(HIDDEN_EXIT, "the functions to be called at the exit") \
    X(HIDDEN_SIGNALS, "the signal handlers")                 \
    X(HIDDEN_PENDING, "the pending signals")                 \
    X(HIDDEN_ENVIRONMENT, "the environment")                 \
    X(HIDDEN_FILES, "the open files")                        \
    X(HIDDEN_SEMAPHORES, "the named semaphores")             \
    X(HIDDEN_MAPPINGS, "the protection of mapped memory")    \
    X(HIDDEN_RUNNING, "the number of running threads")       \
    X(HIDDEN_NAMES, "the names and priorities of threads")

#define HIDDEN_ENUM(part, name) part,
enum hidden_part { HIDDEN_PARTS(HIDDEN_ENUM) HIDDEN_PART_COUNT };
#undef HIDDEN_ENUM

struct state_cursor;

void hidden_close(void);
void hidden_reset(void);

/* All parts, for undo_check.h. */
void hidden_visit(void (*visit)(const char *name, uint32_t number, const void *data, size_t size));

/* Steps of the calling thread: the part may be read, or read and changed, until the next step. */
void hidden_read(enum hidden_part part, const void *return_address);
void hidden_change(enum hidden_part part, const void *return_address);

/* Within a step of the caller's own that has the part's object in its footprint: it changes. */
void hidden_log(enum hidden_part part);

/* Whether the program changes the part, as far as is known. If it turns out later that it does, the
 * exploration starts over. */
bool hidden_changes(enum hidden_part part);

/* The program will change the part. */
void hidden_expect(enum hidden_part part);

/* The object of a part; and the part whose object this is, if it is one's. */
uint32_t hidden_object(enum hidden_part part);
bool hidden_find(uint32_t object, enum hidden_part *part);

/* Where versions are kept: the address is that of the counter that accesses to a part update. */
bool hidden_counts(uintptr_t address);

/* The memory of a part; and a hash of it, the value of its object. */
void *hidden_data(enum hidden_part part);
uint64_t hidden_value(enum hidden_part part);

/* Writes the name of the part whose object this is; false if it is none. */
bool hidden_describe(uint32_t object, FILE *out);

/* Part of the state; see state.h. */
void hidden_pass(struct state_cursor *c);

#endif
