#include "report/explanation.h"

#include <ctype.h>
#include <string.h>

static const explanation explanations[ERROR_KIND_COUNT] = {
    [ERROR_ASSERTION] =
        {"Assertion failure", "An assertion of the program does not hold in some schedule.",
         "A thread evaluated the condition of an assert (or reached reach_error) and it was false. "
         "The steps show an order of the threads in which that happens; with another order the "
         "same program may pass.",
         "Look for the value that the condition read, and for the last step of another thread that "
         "wrote it. If a thread reads a variable and writes it back later, and another one writes "
         "in between, hold one mutex over both steps or use one atomic operation such as "
         "atomic_fetch_add."},
    [ERROR_ABORT] = {"Abort", "The program calls abort in some schedule.",
                     "A thread called abort, or a function of libc did so for it. With "
                     "--svcomp an abort ends the execution and is not an error.",
                     "Find out why the code that leads to the call was reached in this schedule: "
                     "the last reads before it show the values that the decision depends on."},
    [ERROR_CRASH] =
        {"Crash", "The program crashes in some schedule.",
         "The processor reported a fault: an access to an unmapped address (often a null "
         "pointer), a write to constant memory, a division by zero, an illegal instruction or a "
         "stack overflow.",
         "Look for the step that stored the pointer or the divisor. If another thread stores "
         "it, make sure that it is stored before it is used: start the reader later, or "
         "publish the pointer under a mutex or with an atomic store."},
    [ERROR_DEADLOCK] =
        {"Deadlock", "Threads block each other forever in some schedule.",
         "No thread can take a step, and at least one has not ended: it waits for a mutex that is "
         "never unlocked, for a signal that never comes, or for a thread that does not end. The "
         "report names what every blocked thread waits for and who holds it.",
         "For a cycle of mutexes: acquire them in the same order everywhere, or hold only one at a "
         "time. For a lost signal: change the condition's variable under the mutex, test it in a "
         "loop before each pthread_cond_wait, and signal after the change. For a mutex that its "
         "own thread holds: unlock it on every path."},
    [ERROR_LIVELOCK] = {"Livelock", "Threads run forever without progress in some schedule.",
                        "All threads that are left spin in loops that read something again and "
                        "again, and no thread is left that would change it. The report names each "
                        "loop and what it reads.",
                        "Make the loop wait for a change (a condition variable, a blocking "
                        "call) instead of trying again, or make sure that another thread can make "
                        "its condition true."},
    [ERROR_HANG] = {"Hang", "A thread computes forever in some schedule.",
                    "A thread is in a loop that takes no step that another thread could see, and "
                    "was found in a state that it was in before: it never leaves the loop.",
                    "Look at the loop's condition. If it reads a variable that another thread "
                    "is to change, make that variable atomic."},
    [ERROR_DATA_RACE] =
        {"Data race", "Two threads access the same memory at the same time, and one writes.",
         "Two accesses of the same bytes by different threads, at least one a write and at least "
         "one not atomic, and nothing orders them: no mutex that both hold, no creation or join of "
         "a thread, no release that the other one acquires. In C11 the behaviour of the whole "
         "program is then undefined; compilers rely on the absence of races.",
         "Hold the same mutex around both accesses (a read-write lock for writing, if one writes), "
         "or declare the variable _Atomic, or let one "
         "access happen before the thread of the other one is created or after it is joined. A "
         "relaxed atomic flag orders nothing: store it with memory_order_release and load it with "
         "memory_order_acquire."},
    [ERROR_USE_AFTER_FREE] =
        {"Use after free", "Memory is used after its lifetime has ended in some schedule.",
         "A thread accessed a heap block that was freed, a local variable whose function has "
         "returned, or the stack of a thread that has ended. The report shows where the block was "
         "allocated and freed.",
         "Let the last user free the block: join the threads that use it first, or count its users "
         "under a mutex or with an atomic counter. Do not give the address of a local to a thread "
         "that outlives the function."},
    [ERROR_DOUBLE_FREE] =
        {"Double free", "A block is freed twice in some schedule.",
         "free or realloc was called with the address of a heap block that had been freed already.",
         "Decide which thread owns the block. Take the pointer and set it to NULL in one step, "
         "under a mutex or with atomic_exchange, so that only one thread gets it."},
    [ERROR_INVALID_FREE] =
        {"Invalid free", "Something that is not a heap block is freed.",
         "free or realloc was called with an address that malloc and its relatives did not "
         "return: inside a block, a variable, a local, constant memory.",
         "Keep the address that malloc returned and free that one."},
    [ERROR_OVERFLOW] =
        {"Out of bounds", "An access goes beyond the end or the start of its object.",
         "Bytes outside of the heap block or variable were read or written.",
         "Check the index against the size. If another thread changes the index or the size, "
         "check and access under one mutex."},
    [ERROR_UNINITIALISED] =
        {"Uninitialised memory", "The behaviour of a thread depends on uninitialised memory.",
         "Bytes from malloc that were never written decide what the program does next: runs that "
         "differ only in these bytes do different things.",
         "Initialise the memory, for example with calloc, before other threads can see it."},
    [ERROR_MISUSE] =
        {"Misuse of a primitive", "A lock, a condition or a thread is used against its rules.",
         "For example: unlocking a mutex that another thread holds, destroying a mutex that is "
         "locked, waiting on a condition without its mutex, joining a thread twice. POSIX leaves "
         "the behaviour undefined or makes it an error that the program ignores.",
         "Let the thread that locked unlock; destroy only after all users have ended."},
    [ERROR_EXIT_STATUS] =
        {"Exit status", "The program ends with a status other than 0.",
         "With --exit-status such an end is an error.",
         "Find the origin of the value that main returns or that is passed to exit."},
    [ERROR_LEAK] = {"Memory leak", "A heap block is lost when the program ends.",
                    "Nothing refers to the block when the program ends, and it was not freed.",
                    "Free the block on every path, also on the one that this schedule takes; "
                    "--leaks=ignore if that does not matter."},
    [ERROR_UNSUPPORTED] =
        {"Unsupported", "The program calls something that heddle does not control.",
         "The call would let other processes or the kernel decide what happens, so that heddle can "
         "neither explore nor repeat it. This is not an error of the program; there is no verdict.",
         "Replace the call for the check, for example by a function of the test that does "
         "the same in memory; docs/ENVIRONMENT.md describes the environment of a program."},
    [ERROR_UNFINISHED] =
        {"Step abandoned", "A step took longer than --watchdog allows.",
         "A thread computed or waited in the kernel for too long without an operation that others "
         "could see. This is not an error of the program; the verdict is incomplete.",
         "Give it more time with --watchdog=SECONDS, or make the test smaller."},
};

const explanation *explanation_of(enum error_kind kind) {
    return &explanations[kind];
}

enum error_kind error_kind_of(const char *word) {
    uint32_t kind = 0;
    while (kind < ERROR_KIND_COUNT && strcmp(error_word(kind), word) != 0) {
        kind++;
    }
    return kind;
}

void explanation_in_line(enum error_kind kind, text *out) {
    uint32_t start = text_length(out);
    text_append(out, explanation_of(kind)->title);
    char *first = &vector_at(&out->characters, start);
    *first = (char)tolower((unsigned char)*first);
}
