/* Loads the program at the same address in every process.
 *
 * The system maps a shared object into the highest hole of the address space that is large enough,
 * so the address of the program would depend on what its process has mapped and unmapped before:
 * how many workers there were, how large their messages, on which rank it is. While it is loaded,
 * all holes above a boundary far below everything of heddle are filled, so that it is always right
 * below that. Pieces of work name objects by their addresses, and are refused elsewhere
 * (targets/native/names.c).
 *
 * (A shared object that asks for an address itself is not loaded there by every version of glibc.)
 * If address space is short, or random addresses cannot be turned off, the address is not fixed.
 * */
#ifndef HEDDLE_TARGETS_NATIVE_HOLE_H
#define HEDDLE_TARGETS_NATIVE_HOLE_H

#include "base/vector.h"

typedef struct hole {
    void *start;
    size_t size;
} hole;

typedef VECTOR(hole) hole_list;

void holes_fill(hole_list *);
void holes_empty(hole_list *);

#endif
