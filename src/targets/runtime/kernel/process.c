#include "targets/runtime/kernel/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"
#include "heddle/check.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/exit.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/section.h"

_Noreturn void heddle___assert_fail(const char *assertion, const char *file, unsigned line,
                                    const char *function) {
    (void)file;
    (void)line;
    runtime_thread *t = runtime.current;
    if (!t) {
        abort();
    }
    runtime_fail(t, ERROR_ASSERTION, LOCATION_HERE(), "assertion failed: %s, in %s", assertion,
                 function ? function : "?");
}

/* Compilers put a word between the arrays of a frame and its return address, and look at it when
 * the function returns. */
_Noreturn void heddle___stack_chk_fail(void) {
    runtime_thread *t = runtime.current;
    if (!t) {
        abort();
    }
    runtime_fail(t, ERROR_OVERFLOW, LOCATION_HERE(),
                 "out of bounds: a local array was written beyond its end before its function "
                 "returned");
}

_Noreturn void heddle_abort(void) {
    runtime_thread *t = runtime.current;
    if (!t) {
        abort();
    }
    if (runtime.settings.svcomp) { /* after an assumption that failed */
        heddle_assume(0);
    }
    runtime_fail(t, ERROR_ABORT, LOCATION_HERE(), "abort called");
}

uintptr_t process_main_end;
bool process_failed;

/* The thread ends here; each step of the others could still come before the process is gone. */
_Noreturn static void end_process(int status, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        exit(status);
    }
    if (status != 0 && runtime.settings.exit_status) {
        bool known = t->returned && process_main_end;
        location = known ? location_of((const void *)process_main_end) : location;
        runtime_fail(t, ERROR_EXIT_STATUS, location, "the program ends with status %d", status);
    }
    process_failed = process_failed || status != 0;
    runtime.exited = true;
    runtime_leave(t, THREAD_GONE);
}

_Noreturn void heddle_exit(int status) {
    const void *here = __builtin_return_address(0);
    if (runtime.current) {
        exit_run(status, here);
    }
    end_process(status, location_of(here));
}

_Noreturn void heddle__exit(int status) {
    end_process(status, LOCATION_HERE());
}

_Noreturn void heddle_quick_exit(int status) {
    const void *here = __builtin_return_address(0);
    if (runtime.current) {
        exit_run_quick(status, here);
    }
    end_process(status, location_of(here));
}

void process_default_signal(int number, uint32_t location) {
    runtime_thread *t = runtime.current;
    switch (number) {
        case SIGCHLD:
        case SIGCONT:
        case SIGURG:
        case SIGWINCH: return;
        case SIGABRT: runtime_fail(t, ERROR_ABORT, location, "abort called by raise");
        case SIGSEGV:
        case SIGBUS:
        case SIGFPE:
        case SIGILL:
        case SIGTRAP:
        case SIGSYS: runtime_fail(t, ERROR_CRASH, location, "signal raised: %s", strsignal(number));
        case SIGPIPE:
            runtime_fail(t, ERROR_CRASH, location,
                         "killed by SIGPIPE: a write to a pipe or socket without a reader");
        case SIGSTOP:
        case SIGTSTP:
        case SIGTTIN:
        case SIGTTOU:
            runtime_fail(t, ERROR_UNSUPPORTED, location,
                         "unsupported: raise of a signal that stops the process");
        default: end_process(128 + number, location);
    }
}

_Noreturn void heddle_unsupported(const char *name, const void *return_address) {
    runtime_thread *t = runtime.current;
    if (!t) {
        abort();
    }
    runtime_fail(t, ERROR_UNSUPPORTED, location_of(return_address), "unsupported: %s", name);
}

/* ---- <heddle.h> ---- */

static void assume(int holds) {
    if (!holds && runtime.current) {
        runtime_leave(runtime.current, THREAD_STOPPED);
    }
}

void heddle_assume(int holds) {
    assume(holds);
}

/* A test program that is checked as a whole runs its checks one after the other. */
int heddle_check_function(const char *name, void (*function)(void *), void *argument,
                          const heddle_options *options) {
    (void)name, (void)options;
    function(argument);
    return HEDDLE_VERIFIED;
}

void heddle_assert(int holds) {
    if (!holds && runtime.current) {
        runtime_fail(runtime.current, ERROR_ASSERTION, LOCATION_HERE(), "assertion failed");
    }
}

unsigned process_choose(unsigned count, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    if (count == 0) {
        runtime_fail(t, ERROR_MISUSE, location, "a choice with 0 alternatives");
    }
    if (t->section_depth) {
        return section_choose(t, count, location);
    }
    runtime_prepare(t, OPERATION_CHOOSE, 0, FOOTPRINT_EMPTY, location);
    t->pending.choice_count = count;
    runtime_park(t);
    CHECK(t->choice < count);
    t->value = t->choice;
    return t->choice;
}

unsigned heddle_choose(unsigned count) {
    return process_choose(count, LOCATION_HERE());
}

void heddle_atomic_begin(void) {
    uint32_t location = LOCATION_HERE();
    runtime_before_park();
    section_begin(location);
}

void heddle_atomic_end(void) {
    section_end(LOCATION_HERE());
}

/* ---- the intrinsics of SV-COMP ---- */

void __VERIFIER_assume(int holds);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Noreturn void __VERIFIER_error(void);
_Noreturn void reach_error(void);

void __VERIFIER_assume(int holds) {
    assume(holds);
}

void __VERIFIER_atomic_begin(void) {
    uint32_t location = LOCATION_HERE();
    runtime_before_park();
    section_begin(location);
}

void __VERIFIER_atomic_end(void) {
    section_end(LOCATION_HERE());
}

_Noreturn void __VERIFIER_error(void) {
    runtime_fail(runtime.current, ERROR_ASSERTION, LOCATION_HERE(), "__VERIFIER_error called");
}

_Noreturn void reach_error(void) {
    runtime_fail(runtime.current, ERROR_ASSERTION, LOCATION_HERE(), "reach_error called");
}

/* ---- thread-local variables ---- */

/* As the compiler passes it: module and offset. There is one module that calls this. */
typedef struct tls_index {
    unsigned long module;
    unsigned long offset;
} tls_index;

extern void *__tls_get_addr(tls_index *);

void *heddle___tls_get_addr(tls_index *index) {
    runtime_thread *t = runtime.current;
    DEBUG_CHECK(!t || index->offset < space.tls_size);
    return t ? (void *)(t->tls + index->offset) : __tls_get_addr(index);
}

/* All of the calling thread's, for openmp/teams.inc. */
void *heddle_own_variables(size_t *size);

void *heddle_own_variables(size_t *size) {
    CHECK(runtime.current);
    *size = space.tls_size;
    return (void *)runtime.current->tls;
}
