/* Three kinds of check, kept apart:
 *
 * - CHECK: an invariant of heddle's own; stays on in release builds. A violation is a bug in
 *   heddle: the message says so and the process ends with status 70.
 * - DEBUG_CHECK: the same where it is too expensive for a release build (HEDDLE_DEBUG).
 * - DEBUG_INVARIANT: a call of a function that checks the invariants of a whole structure
 *   (x_check); in debug builds, after each change.
 *
 * Errors of the user's program or of the environment are never checks; they are values that the
 * caller turns into a message and an exit status. */
#ifndef HEDDLE_BASE_CHECK_H
#define HEDDLE_BASE_CHECK_H

_Noreturn void check_failed(const char *file, int line, const char *what);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

#ifdef HEDDLE_DEBUG
#define DEBUG_CHECK(condition) CHECK(condition)
#define DEBUG_INVARIANT(call)  (call)
#else
#define DEBUG_CHECK(condition) ((void)(0 && (condition)))
#define DEBUG_INVARIANT(call)  ((void)(0 && ((call), 0)))
#endif

#endif
