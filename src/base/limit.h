/* Limits of heddle that a run can reach, declared once. Reaching one is never silent: the verdict
 * is then "incomplete" (unless there is a bug), and a warning has the text of the table. Limits
 * that are reported as errors, with exit status 2, are in docs/ARCHITECTURE.md, "Limits".
 *
 * Torture builds read smaller values from the environment: HEDDLE_LIMITS="objects=2,text=2". */
#ifndef HEDDLE_BASE_LIMIT_H
#define HEDDLE_BASE_LIMIT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/*    limit, name, at most, words */
#define LIMITS(X)                                                                                \
    X(LIMIT_MEMORY, "memory", UINT64_MAX,                                                        \
      "the memory limit was reached: the remaining executions are not covered; "                 \
      "--memory-limit=SIZE gives more")                                                          \
    X(LIMIT_EVENTS, "events", INT32_MAX,                                                         \
      "an execution has more events than heddle can count: what comes after is not covered")     \
    X(LIMIT_OBJECTS, "objects", (1u << 28) - 1,                                                  \
      "the program touches more objects than heddle can number: the remaining executions are "   \
      "not covered")                                                                             \
    X(LIMIT_TEXT, "text", (1 << 16) - 1,                                                         \
      "a formatted text is longer than 65535 bytes and was cut: what depends on the rest is "    \
      "not covered")                                                                             \
    X(LIMIT_ATOMIC, "atomic", 256,                                                               \
      "an atomic load of more than 256 bytes into shared memory was made one step: "             \
      "interleavings between its two halves are not covered")                                    \
    X(LIMIT_ROUNDS, "rounds", 10000,                                                             \
      "a spinning thread takes more than 10000 steps to return to an earlier state: whether it " \
      "waits forever is unknown")                                                                \
    X(LIMIT_THREADS, "threads", 4096,                                                            \
      "the program creates more than 4096 threads: what comes after is not covered")             \
    X(LIMIT_HEAP, "heap", UINT64_MAX,                                                            \
      "an allocation is larger than the heap of a thread in heddle: what comes after it is not " \
      "covered")                                                                                 \
    X(LIMIT_INSTRUCTIONS, "instructions", UINT64_MAX,                                            \
      "an instruction that reads a clock, random numbers or the processor's identity could "     \
      "not be replaced, because the system does not let code be changed")                        \
    X(LIMIT_ALIGNMENT, "alignment", 0,                                                           \
      "a thread has set the alignment-check flag, which heddle had to clear: its unaligned "     \
      "accesses after that are not reported")                                                    \
    X(LIMIT_LATE, "late", 0,                                                                     \
      "execution graphs leave out what a thread in a loop that reads several variables does "    \
      "after a wait has timed out: that is not covered")

#define LIMIT_ENUM(limit, name, most, words) limit,
enum limit { LIMITS(LIMIT_ENUM) LIMIT_COUNT };
#undef LIMIT_ENUM

/* Makes limits smaller than in the table. */
#ifdef HEDDLE_TORTURE
#define LIMIT_TORTURE 1
#else
#define LIMIT_TORTURE 0
#endif

/* The value of the limit. */
uint64_t limit_most(enum limit);

/* The limit was reached; the run continues, to an end or to a bug. */
void limit_reached(enum limit);

/* The same, but the exploration ends before its next step. */
void limit_stop(enum limit);

/* The same immediately: nothing can be done without the exhausted resource. Jumps to limit_exit; if
 * that is NULL, ends the process with a message and status 3. */
_Noreturn void limit_escape(enum limit);

/* The user wants to stop, and a step that would not end was abandoned: the exploration ends before
 * its next step. */
void limit_abandon(void);

/* limit_abandon was called. */
extern volatile bool limit_abandoned;

/* limit_stop or limit_abandon was called. */
extern volatile bool limit_stops;

/* Where limit_escape jumps to, or NULL. Everything in progress is abandoned: only what is reachable
 * from there may be used afterwards. */
extern jmp_buf *limit_exit;

bool limit_was_reached(enum limit);

/* A limit was reached that ended the exploration: with a higher limit it can continue from where
 * it was. */
bool limit_has_stopped(enum limit);
const char *limit_words(enum limit);

/* Called before a run: clears what was reached. */
void limit_clear(void);

#endif
