/* How much the program sees of undetermined values, the results of __VERIFIER_nondet_…:
 *
 * - Nothing: the result is dropped, or only goes into other values on which nothing depends. Any
 * value is enough, no choice is needed, and nothing is left untried.
 * - Whether it is zero: two values represent all.
 * - A few values on which nothing but comparisons with constants depends, or that are all there are
 *   (undetermined_paths.h).
 * - Otherwise the runtime tries all values of a small type and some of a wide one.
 *
 * This is found in gcc's dump of the instrumented program, where every value that is not in memory
 * has a name of its own (static single assignment). A value counts as seen if it is stored, passed,
 * returned, compared with something else than zero, divided, or used in any way that is not
 * understood. */
#ifndef HEDDLE_TARGETS_NATIVE_UNDETERMINED_H
#define HEDDLE_TARGETS_NATIVE_UNDETERMINED_H

#include "base/vector.h"
#include "targets/native/undetermined_paths.h"

enum undetermined_use { USE_NONE, USE_TRUTH, USE_VALUE };

typedef struct undetermined_call {
    char callee[64];
    unsigned line, column;
    enum undetermined_use use;
    bool listed; /* these values are enough */
    undetermined_values values;
    unsigned bits; /* of its type, if they are listed */
    bool is_signed;
} undetermined_call;

typedef VECTOR(undetermined_call) undetermined_list;

/* All calls of such functions, in a dump of gcc (-fdump-tree-tsan0-lineno). */
void undetermined_in_dump(const char *dump, undetermined_list *);

/* After that, from the same dump: which values are enough. */
void undetermined_list_values(const char *dump, undetermined_list *);

/* The most that is seen of the calls of the function at that place. */
enum undetermined_use undetermined_use_of(const undetermined_list *, const char *callee,
                                          unsigned line, unsigned column);

/* The call at that place, if the values to be tried of its result are known; or NULL. */
const undetermined_call *undetermined_listed(const undetermined_list *, const char *callee,
                                             unsigned line, unsigned column);

/* What such a call calls instead, with the function's name: the linker's matter, because the
 * program may define the function itself. */
#define UNDETERMINED_IDLE  "heddle_idle_"
#define UNDETERMINED_TRUTH "heddle_truth_"
#define UNDETERMINED_AMONG "heddle_among_"

#endif
