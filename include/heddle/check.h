/* Checks in unit tests: all schedules of a function, in any test program and framework.
 *
 *     static void two_writers(void *none) { ... pthread_create ... assert(...); }
 *
 *     static void test_writers(void **state) {
 *         assert_int_equal(heddle_check(two_writers, NULL, NULL), HEDDLE_VERIFIED);
 *     }
 *
 * A test that is built by `heddle-cc` in place of the compiler runs as ever, and heddle_check()
 * hands the function to heddle. Built by any other compiler and linked with -lheddle-check, it
 * calls the function once, on real threads: the same source is a test for an ordinary build, for
 * valgrind, and for sanitizers.
 *
 * The function is run many times, in a process of its own that has not run main: it sets up what it
 * needs, and it must not depend on what the test has done before. An assert that fails, exit() with
 * a status other than 0, a deadlock, a data race, a memory error: each is a bug.
 *
 * The schedule of a bug is written beside the test, as TEST.NAME.schedule (into the working
 * directory, if that of the test cannot be written to); with HEDDLE_REPLAY=NAME in the environment,
 * the test runs that schedule and no other check. HEDDLE_OPTIONS are further options of `heddle
 * check`, which win over those of the source; HEDDLE is the command to run (heddle). */
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heddle_options {
    const char *name;     /* of the check; NULL: that of the function */
    size_t argument_size; /* of what the argument points to, if it is not NULL: the function gets a
                             copy of these bytes, in which pointers mean nothing */
    const char *options;  /* of `heddle check`, with spaces between them: "-k --max-steps=100" */
} heddle_options;

/* What heddle_check() returns, and heddle exits with. */
enum heddle_verdict {
    HEDDLE_VERIFIED = 0, /* no schedule has a bug; or the function was called once, and returned */
    HEDDLE_BUG = 1,
    HEDDLE_NOT_CHECKED = 2, /* heddle could not be run, or the function cannot be checked */
    HEDDLE_INCOMPLETE = 3,  /* none was found, but not everything was covered */
};

/* `function` is the name of a function of the program; it may be static. `options` may be NULL. */
#define heddle_check(function, argument, options) \
    heddle_check_function(#function, function, argument, options)

int heddle_check_function(const char *name, void (*function)(void *), void *argument,
                          const heddle_options *options);

#ifdef __cplusplus
}
#endif

#endif
