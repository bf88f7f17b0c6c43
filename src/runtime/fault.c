#include "runtime/fault.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "base/check.h"
#include "runtime/globals.h"
#include "runtime/location.h"
#include "runtime/space.h"

enum {
    HANDLER_STACK_SIZE = 1 << 16,
    WATCHDOG_TICKS = 4, /* in hang_ms */
    GUARD_REACH = 1 << 17,
};

/* Places in uc_mcontext.gregs. ucontext.h names them only together with unistd.h, which has a
 * function that is called like our type `access`. */
enum { CONTEXT_RBP = 10, CONTEXT_RSP = 15, CONTEXT_RIP = 16, CONTEXT_FLAGS = 17 };

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
enum { FAULT_SIGNAL_COUNT = sizeof fault_signals / sizeof *fault_signals };

static struct {
    struct sigaction old[FAULT_SIGNAL_COUNT], old_timer;
    stack_t old_stack;
    char *stack;
    uint64_t last_steps;
    uint32_t idle_ticks;
} fault;

static uintptr_t counter_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static uintptr_t stack_pointer_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RSP];
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}

/* When the handler returns, the scheduler goes on behind its switch to the fiber. */
static void abandon(ucontext_t *context) {
#if defined(__x86_64__)
    enum { UNWANTED_FLAGS = 0x100 | 0x400 | 0x40000 }; /* trap, direction, alignment check */
    greg_t *registers = context->uc_mcontext.gregs;
    registers[CONTEXT_RIP] = (greg_t)runtime.scheduler.resume;
    registers[CONTEXT_RSP] = (greg_t)runtime.scheduler.stack_pointer;
    registers[CONTEXT_RBP] = (greg_t)runtime.scheduler.frame_pointer;
    registers[CONTEXT_FLAGS] &= ~(greg_t)UNWANTED_FLAGS;
#else
    context->uc_mcontext.pc = runtime.scheduler.resume;
    context->uc_mcontext.sp = runtime.scheduler.stack_pointer;
    context->uc_mcontext.regs[29] = runtime.scheduler.frame_pointer;
#endif
}

static bool in_text(uintptr_t counter) {
    return counter - space.text_low < space.text_size;
}

/* A jump to nowhere has left its return address on the stack. */
static uintptr_t caller_of(const ucontext_t *context, uintptr_t counter) {
    if (in_text(counter)) {
        return counter + 1;
    }
    const runtime_thread *t = runtime.current;
    uintptr_t at = stack_pointer_of(context);
    if (at % 8 != 0 || at - t->own_low >= t->own_size - 8) {
        return 0;
    }
    uintptr_t word = *(const uintptr_t *)at;
    return in_text(word) ? word : 0;
}

static void on_fault(int signal, siginfo_t *info, void *raw) {
    ucontext_t *context = raw;
    const runtime_thread *t = runtime.current;
    if (signal == SIGSEGV && globals_fault((uintptr_t)info->si_addr)) {
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
        .counter = caller_of(context, counter_of(context)),
        .overflow = signal == SIGSEGV && t->own_low - address < GUARD_REACH,
    };
    abandon(context);
}

/* May leave only where nothing of ours or of libc's is half done. */
static void on_tick(int signal, siginfo_t *info, void *raw) {
    (void)signal;
    (void)info;
    ucontext_t *context = raw;
    const runtime_thread *t = runtime.current;
    if (!t || runtime.steps != fault.last_steps) {
        fault.last_steps = runtime.steps;
        fault.idle_ticks = 0;
        return;
    }
    uintptr_t counter = counter_of(context);
    if (++fault.idle_ticks < WATCHDOG_TICKS || !in_text(counter) ||
        stack_pointer_of(context) - t->own_low >= t->own_size) {
        return;
    }
    fault.idle_ticks = 0;
    runtime.fault = (runtime_fault){.signal = SIGVTALRM, .counter = counter + 1};
    abandon(context);
}

static void start_watchdog(void) {
    struct sigaction action = {.sa_sigaction = on_tick,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigaction(SIGVTALRM, &action, &fault.old_timer);
    uint32_t tick_us = runtime.options.hang_ms * 1000 / WATCHDOG_TICKS;
    struct timeval tick = {.tv_sec = tick_us / 1000000, .tv_usec = tick_us % 1000000};
    struct itimerval timer = {.it_interval = tick, .it_value = tick};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void fault_open(void) {
    fault.stack =
        mmap(NULL, HANDLER_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(fault.stack != MAP_FAILED);
    stack_t stack = {.ss_sp = fault.stack, .ss_size = HANDLER_STACK_SIZE};
    CHECK(sigaltstack(&stack, &fault.old_stack) == 0);
    for (uint32_t i = 0; i < FAULT_SIGNAL_COUNT; i++) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(fault_signals[i], &action, &fault.old[i]);
    }
    if (runtime.options.hang_ms) {
        start_watchdog();
    }
}

void fault_close(void) {
    for (uint32_t i = 0; i < FAULT_SIGNAL_COUNT; i++) {
        sigaction(fault_signals[i], &fault.old[i], NULL);
    }
    if (runtime.options.hang_ms) {
        struct itimerval none = {0};
        setitimer(ITIMER_VIRTUAL, &none, NULL);
        sigaction(SIGVTALRM, &fault.old_timer, NULL);
    }
    sigaltstack(&fault.old_stack, NULL);
    munmap(fault.stack, HANDLER_STACK_SIZE);
}

static void describe(const runtime_fault *f, char *text, size_t size) {
    void *address = (void *)f->address;
    switch (f->signal) {
        case SIGSEGV:
            if (f->overflow) {
                snprintf(text, size, "stack overflow");
            } else {
                snprintf(text, size, "segmentation fault at address %p", address);
            }
            break;
        case SIGBUS: snprintf(text, size, "bus error at address %p", address); break;
        case SIGFPE: snprintf(text, size, "arithmetic fault (division by zero or overflow)"); break;
        case SIGILL: snprintf(text, size, "illegal instruction"); break;
        case SIGTRAP: snprintf(text, size, "trap instruction"); break;
        default: snprintf(text, size, "endless loop without an operation that others could see");
    }
}

void fault_finish(runtime_thread *t) {
    char message[160];
    runtime_fault f = runtime.fault;
    runtime.fault.signal = 0;
    runtime.faulted = true;
    describe(&f, message, sizeof message);
    uint32_t location = f.counter ? location_of((const void *)f.counter) : t->pending.location;
    runtime.exited = true;
    t->status = THREAD_GONE;
    runtime_error(t, f.signal == SIGVTALRM ? ERROR_HANG : ERROR_CRASH, location, message);
}
