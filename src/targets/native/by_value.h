/* Structs in memory that are passed to or returned from functions by value: gcc copies them without
 * a callback, right before or right after the call. The copy is found in the assembly: of the lines
 * between the call and the nearest branch, label or other call, every instruction that reads (or,
 * for a result, writes) memory is announced; those with the same base as one range, in one step.
 * Private memory is not announced at run time, as usual.
 *
 * Rejected: finding out which instructions belong to the struct. Announcing another one only costs
 * a step. */
#ifndef HEDDLE_TARGETS_NATIVE_BY_VALUE_H
#define HEDDLE_TARGETS_NATIVE_BY_VALUE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vector.h"

/* Lines, one after the other, each with its end. */
typedef struct by_value_lines {
    VECTOR(char) text;
    VECTOR(uint32_t) starts;
} by_value_lines;

void by_value_add(by_value_lines *, const char *line);

/* A line that ends a copy: a branch or its target, a call, the end of a function. */
bool by_value_ends(const char *line);

/* The variable whose address these lines pass to a callback for eight bytes that follows them, or
 * "". */
enum { BY_VALUE_NAME_SIZE = 128 };
void by_value_passed(const by_value_lines *, const char *call, char *name);

/* Some of the lines stores to memory. */
bool by_value_stores(const by_value_lines *);

/* What is to be announced, and what was. */
typedef struct by_value_wish {
    bool reads, writes;
    bool copies; /* they begin with a struct copy, which was announced: what is read before anything
                    is stored belongs to that, and its step must not end before it stores */
    const char *announced; /* a variable that was announced just before */
    bool has_read, has_written;
} by_value_wish;

/* Writes the lines, and what announces their accesses. If one of them is not understood, nothing is
 * announced. */
void by_value_announce(by_value_lines *, by_value_wish *, FILE *out);

#endif
