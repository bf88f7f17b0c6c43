#include "targets/runtime/kernel/fault.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/limit.h"
#include "targets/runtime/kernel/caller.h"
#include "targets/runtime/kernel/context.h"
#include "targets/runtime/kernel/debugger.h"
#include "targets/runtime/kernel/instruction.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/stack.h"
#include "targets/runtime/kernel/watchdog.h"
#include "targets/runtime/memory/globals.h"
#include "targets/runtime/memory/space.h"

enum {
    HANDLER_STACK_SIZE = 1 << 16,
    GUARD_REACH = 1 << 17,
    NEAR_NULL = 4096,
    WORDS_SIZE = 192,
};

void (*fault_describe)(uintptr_t address, uint32_t location, bool writes, char *words, size_t size);

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { FAULT_SIGNAL_COUNT = sizeof fault_signals / sizeof *fault_signals };

static struct {
    struct sigaction old[FAULT_SIGNAL_COUNT];
    stack_t old_stack;
    char *stack;
} fault;

/* A jump to nowhere has left its return address on the stack. */
static uintptr_t caller_of(const ucontext_t *context, uintptr_t counter) {
    if (space_in_text(counter)) {
        return counter + 1;
    }
    const runtime_thread *t = runtime.current;
    uintptr_t at = context_stack_pointer(context);
    if (at % 8 != 0 || at - t->own_low >= t->own_size - 8) {
        return 0;
    }
    uintptr_t word = *(const uintptr_t *)at;
    return space_in_text(word) ? word : 0;
}

static __attribute__((used)) void on_fault(int signal, siginfo_t *info, void *raw) {
    ucontext_t *context = raw;
    const runtime_thread *t = runtime.current;
    if (signal == SIGSEGV &&
        (stack_fault((uintptr_t)info->si_addr) || globals_fault((uintptr_t)info->si_addr))) {
        return;
    }
    if (signal == SIGILL && instruction_trapped(context)) {
        return;
    }
    if (signal == SIGTRAP && watchdog_trapped(context)) {
        return;
    }
    if (signal == SIGBUS && !space_in_text(context_counter(context)) &&
        context_clear_alignment_check(context)) {
        limit_reached(LIMIT_ALIGNMENT);
        return;
    }
    if (!t) { /* heddle's own bug: fault again, without this handler */
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(signal, &standard, NULL);
        return;
    }
    uintptr_t address = (uintptr_t)info->si_addr;
    runtime.fault = (runtime_fault){
        .signal = signal,
        .address = address,
        .counter = caller_of(context, context_counter(context)),
        .overflow = signal == SIGSEGV && t->own_low - address < GUARD_REACH,
    };
    watchdog_faulted();
    debugger_crash(context_counter(context), context_stack_pointer(context),
                   context_frame_pointer(context));
    context_abandon(context);
}

CONTEXT_HANDLER(enter_on_fault, on_fault)

void fault_open(void) {
    fault.stack =
        mmap(NULL, HANDLER_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(fault.stack != MAP_FAILED);
    stack_t stack = {.ss_sp = fault.stack, .ss_size = HANDLER_STACK_SIZE};
    CHECK(sigaltstack(&stack, &fault.old_stack) == 0);
    for (uint32_t i = 0; i < FAULT_SIGNAL_COUNT; i++) {
        struct sigaction action = {.sa_sigaction = enter_on_fault,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK};
        CHECK(sigaction(fault_signals[i], &action, &fault.old[i]) == 0);
    }
    watchdog_open();
}

void fault_close(void) {
    watchdog_close();
    for (uint32_t i = 0; i < FAULT_SIGNAL_COUNT; i++) {
        CHECK(sigaction(fault_signals[i], &fault.old[i], NULL) == 0);
    }
    CHECK(sigaltstack(&fault.old_stack, NULL) == 0);
    CHECK(munmap(fault.stack, HANDLER_STACK_SIZE) == 0);
}

static void near_null(const runtime_thread *t, uintptr_t address, uint32_t location, char *words,
                      size_t size) {
    if (address < NEAR_NULL) {
        snprintf(words, size, " (null pointer)");
        if (fault_describe) {
            bool writes = operation_has_role(t->pending.kind, ROLE_WRITES);
            fault_describe(address, location, writes, words, size);
        }
    }
}

static void describe_crash(const runtime_thread *t, const runtime_fault *f, uint32_t location,
                           char *text, size_t size) {
    uintptr_t address = f->address;
    char meant[WORDS_SIZE] = "";
    switch (f->signal) {
        case SIGSEGV:
            if (f->overflow) {
                snprintf(text, size, "stack overflow");
            } else {
                near_null(t, address, location, meant, sizeof meant);
                snprintf(text, size, "segmentation fault at address 0x%" PRIxPTR "%s", address,
                         meant);
            }
            break;
        case SIGBUS: snprintf(text, size, "bus error at address 0x%" PRIxPTR, address); break;
        case SIGFPE: snprintf(text, size, "arithmetic fault (division by zero or overflow)"); break;
        case SIGILL: snprintf(text, size, "illegal instruction"); break;
        default: snprintf(text, size, "trap instruction");
    }
}

static enum error_kind describe(const runtime_thread *t, const runtime_fault *f, uint32_t location,
                                char *text, size_t size) {
    char name[64];
    switch (f->reason) {
        case FAULT_SIGNAL: describe_crash(t, f, location, text, size); return ERROR_CRASH;
        case FAULT_ENDLESS:
            snprintf(text, size, "infinite loop without an operation that others could see");
            return ERROR_HANG;
        case FAULT_WAITS:
            caller_name(f->address, name, sizeof name);
            snprintf(text, size, "unsupported: %s, which waits in the kernel", name);
            return ERROR_UNSUPPORTED;
        case FAULT_UNFINISHED:
        case FAULT_INTERRUPTED:
            snprintf(text, size,
                     "%u.%u s went by without an operation that others could see; "
                     "--watchdog=SECONDS gives more time",
                     settings_watchdog_ms(&runtime.settings) / 1000,
                     settings_watchdog_ms(&runtime.settings) / 100 % 10);
    }
    return ERROR_UNFINISHED;
}

void fault_finish(runtime_thread *t) {
    char message[WORDS_SIZE + 64];
    runtime_fault f = runtime.fault;
    CHECK(!runtime.current && t->status == THREAD_LIVE);
    CHECK(f.reason == FAULT_SIGNAL || f.signal == SIGVTALRM);
    runtime.fault.signal = 0;
    runtime.faulted = true;
    if (f.signal == SIGSEGV || f.signal == SIGBUS) {
        f.address = runtime_miss(t, f.address); /* heddle may have looked at all of the granule */
    }
    uint32_t location = f.counter ? location_of((const void *)f.counter) : t->pending.location;
    enum error_kind kind = describe(t, &f, location, message, sizeof message);
    runtime.exited = runtime.failed = true;
    t->status = THREAD_GONE;
    if (f.reason == FAULT_INTERRUPTED) {
        limit_abandon(); /* this is no execution of the program */
    } else {
        runtime_error(t, kind, location, message);
    }
}
