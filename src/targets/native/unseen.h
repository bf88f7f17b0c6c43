/* Accesses that gcc's instrumentation does not announce: structs that are passed to or returned
 * from functions by value (`shared = get();` and `use(shared);` touch `shared` without a callback),
 * string builtins of constant size that are expanded in place, builtins of the machine that get a
 * pointer, and what a nested function does to the locals around it, which matters once there is a
 * pointer to it. They are found in its own dump
 * of the instrumented program, where a call has operands in memory only if they are structs. */
#ifndef HEDDLE_TARGETS_NATIVE_UNSEEN_H
#define HEDDLE_TARGETS_NATIVE_UNSEEN_H

#include <stdbool.h>

#include "base/vector.h"
#include "targets/native/sites.h"

enum { UNSEEN_PLACE_SIZE = 256, UNSEEN_NAME_SIZE = 128 };

typedef struct unseen {
    enum site_kind kind;             /* SITE_BY_VALUE, SITE_BUILTIN, SITE_MACHINE or SITE_NESTED */
    char variable[UNSEEN_NAME_SIZE]; /* if not "": counts only if it is no function */
    char callee[UNSEEN_NAME_SIZE];   /* of SITE_BY_VALUE; "" if it is called by a pointer */
    char place[UNSEEN_PLACE_SIZE];   /* "file.c:12" */
    unsigned line, column;
    bool result;             /* of SITE_BY_VALUE: it is what the call returns */
    bool marked;             /* for marks.c */
    bool direct;             /* of SITE_MACHINE: it gets the address of a variable */
    bool announced, refused; /* the same, for machine_builtins.c */
} unseen;

typedef VECTOR(unseen) unseen_list;

/* A dump of gcc (-fdump-tree-tsan0-lineno), and the assembly, which has the names of variables that
 * look like those of values; no dump is nothing found. */
void unseen_in_dump(const char *dump, const char *assembly, unseen_list *);

#endif
