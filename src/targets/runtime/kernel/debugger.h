/* What a debugger sees of the runtime, and where it stops.
 *
 * gdb's extension (cli/gdb/) knows no struct of heddle: it reads and writes the words of one table,
 * which it finds by its symbol, `heddle_debugger`, and so needs no debug information of heddle. If
 * the meaning or the order of a word changes, DEBUGGER_VERSION has to change.
 *
 * Between two steps all threads are parked, and where each continues is three words: program
 * counter, stack pointer, frame pointer (fiber.h). A debugger that sets these registers sees the
 * thread as if it were the one that runs, and has to restore them before anything runs.
 *
 * A step at which the debugger wants to stop begins at `heddle_debugger_resumed` instead of where
 * the thread was parked, on the thread's own stack: the debugger has a breakpoint there, and sets
 * the program counter to `resume`, which is where the thread continues. From there all of gdb's own
 * commands work on the program as it is. Rejected: a function that the scheduler calls before each
 * step, at which threads could only be inspected. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_DEBUGGER_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_DEBUGGER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DEBUGGER_VERSION = 1,
    DEBUGGER_TEXT_SIZE = 112, /* so that a record has 160 bytes */
};

enum debugger_state {
    DEBUGGER_ABSENT, /* not created yet */
    DEBUGGER_READY,
    DEBUGGER_BLOCKED,
    DEBUGGER_ENDED,
    DEBUGGER_FAILED, /* or it ended the process */
};

typedef struct debugger_thread {
    uint64_t state;                     /* enum debugger_state, before the current step */
    uint64_t context;                   /* address of three words: where it continues */
    uint64_t fault[3];                  /* the same, where it crashed; 0: it did not */
    uint64_t described;                 /* heddle's: of which operation the words are */
    char operation[DEBUGGER_TEXT_SIZE]; /* what it does next: "lock left" */
} debugger_thread;

typedef struct debugger_table {
    uint64_t version;
    uint64_t step;         /* that is taken, or is about to be, from 1 */
    uint64_t thread;       /* that takes it */
    uint64_t stop;         /* written by the debugger: the step to stop at; 0: none */
    uint64_t resume;       /* where the thread continues that has stopped at its step */
    uint64_t thread_count; /* of the records */
    uint64_t threads;      /* their address: debugger_thread[] */
    uint64_t text_low;     /* the program's code */
    uint64_t text_size;
    uint64_t current; /* address of a word: the `context` of the thread that runs, 0: none does */
} debugger_table;

extern debugger_table heddle_debugger;

/* From now on the table is kept; `stop` is the first step to stop at. */
void debugger_open(uint64_t stop);

/* Writes what a thread does next; at most `size` bytes. */
typedef void debugger_describe(void *context, uint32_t thread, char *words, uint32_t size);

/* The thread is about to take that step. */
void debugger_step(uint64_t step, uint32_t thread, debugger_describe *, void *context);

/* The last step was taken; `step` is one more than its number. */
void debugger_end(uint64_t step, debugger_describe *, void *context);

/* An error of the program was found in the running thread. The debugger may stop here, on the stack
 * of the thread or, if it crashed, of the signal handler. */
void heddle_debugger_failed(void);

/* The running thread has crashed. */
void debugger_crash(uintptr_t counter, uintptr_t stack_pointer, uintptr_t frame_pointer);

#endif
