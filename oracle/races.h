/* The data races of a schedule, from their definition.
 *
 * Happens-before of C11, with all atomic operations sequentially consistent: program order;
 * creation to the first event, the last event to the join; an unlock to every later lock of the
 * mutex; an atomic write to an atomic read that gets its value. Waking a thread orders nothing, the
 * mutex does. Two events race if they access a cell, one of them writes it, one of them is plain,
 * and neither happens before the other. Like the trace's order it is kept as one row of bits per
 * event. */
#ifndef HEDDLE_ORACLE_RACES_H
#define HEDDLE_ORACLE_RACES_H

#include "oracle/hash.h"
#include "oracle/trace.h"

/* Adds all pairs of places whose accesses race in this schedule. */
void races_find(const trace *, const program *, hash_table *pairs);

/* A pair of places, in any order. Places are numbered by thread and instruction. */
hash races_pair(uint32_t one, uint32_t other);
uint32_t races_place(const program *, uint32_t thread, uint32_t instruction);

/* The instruction is a plain access. */
bool races_is_plain(const program *, const instruction *);

#endif
