/* What a program can tell heddle. None of it is needed: ordinary C with POSIX threads and C11
 * atomics is checked as it is. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which this does not hold are of no interest: the thread stops here forever, and
 * that is not a deadlock. */
void heddle_assume(int holds);

/* As assert, but not switched off by NDEBUG. */
void heddle_assert(int holds);

/* One of 0..count-1; all of them are explored. */
unsigned heddle_choose(unsigned count);

/* Everything in between is one step. Choices inside are all explored. A lock inside makes the whole
 * section wait, and all interleavings of the program have to be explored then. Creating and joining
 * threads and waiting for a condition inside are not supported. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#ifdef __cplusplus
}
#endif

#endif
