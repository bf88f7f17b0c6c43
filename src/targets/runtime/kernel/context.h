/* What a signal handler finds of the code that it interrupted, and how it sends control elsewhere.
 * All that depends on the processor. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_CONTEXT_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "targets/runtime/kernel/runtime.h"

#if defined(__x86_64__)

/* Places in uc_mcontext.gregs; ucontext.h names them for _GNU_SOURCE alone. */
enum { CONTEXT_RDI = 8, CONTEXT_RBP = 10, CONTEXT_RSP = 15, CONTEXT_RIP = 16, CONTEXT_FLAGS = 17 };
enum { CONTEXT_REGISTER_COUNT = 18, CONTEXT_FLOATING_SIZE = 416 };
enum { FLAG_TRAP = 0x100, FLAG_DIRECTION = 0x400, FLAG_RESUME = 0x10000, FLAG_ALIGNED = 0x40000 };
_Static_assert((int)FIBER_FLAGS == (FLAG_DIRECTION | FLAG_ALIGNED),
               "handlers clear what fibers keep");
_Static_assert(CONTEXT_REGISTER_COUNT * sizeof(uintptr_t) <= sizeof(gregset_t),
               "context_registers copies them");
_Static_assert(CONTEXT_FLOATING_SIZE <= sizeof(struct _libc_fpstate), "context_floating copies it");

static inline uintptr_t context_counter(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RIP];
}

static inline uintptr_t context_stack_pointer(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RSP];
}

static inline uintptr_t context_frame_pointer(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RBP];
}

/* The first argument, at the entry of a function. */
static inline uintptr_t context_argument(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[CONTEXT_RDI];
}

/* When the handler returns, the scheduler continues after its switch to the fiber. */
static inline void context_abandon(ucontext_t *context) {
    greg_t *registers = context->uc_mcontext.gregs;
    CHECK(runtime.current); /* the scheduler is in a switch to it */
    registers[CONTEXT_RIP] = (greg_t)runtime.scheduler.resume;
    registers[CONTEXT_RSP] = (greg_t)runtime.scheduler.stack_pointer;
    registers[CONTEXT_RBP] = (greg_t)runtime.scheduler.frame_pointer;
    registers[CONTEXT_FLAGS] &= ~(greg_t)(FLAG_TRAP | FLAG_DIRECTION | FLAG_ALIGNED);
    fiber_context usual;
    fiber_usual_environment(&usual);
    struct _libc_fpstate *floating = context->uc_mcontext.fpregs;
    floating->mxcsr = usual.vector_control;
    floating->cwd = usual.x87_control;
    floating->swd = usual.x87_status;
    floating->ftw = 0; /* whatever was being computed is forgotten */
}

/* A trap because of the alignment-check flag outside the program, which has set it: the flag is
 * cleared. */
static inline bool context_clear_alignment_check(ucontext_t *context) {
    greg_t *flags = &context->uc_mcontext.gregs[CONTEXT_FLAGS];
    bool was_set = *flags & FLAG_ALIGNED;
    *flags &= ~(greg_t)FLAG_ALIGNED;
    return was_set;
}

/* A signal handler starts with the flags of the code that it interrupted, but for the direction.
 * With the alignment check, compiled code traps at any unaligned access, which on some processors
 * are those of whole vectors as well. The handler's first instructions clear it. */
#define CONTEXT_HANDLER(name, function)                                              \
    static __attribute__((naked)) void name(int signal __attribute__((unused)),      \
                                            siginfo_t *info __attribute__((unused)), \
                                            void *context __attribute__((unused))) { \
        __asm__ volatile(                                                            \
            "pushfq\n\tandl $~0x40400"                                               \
            ", (%%rsp)\n\tpopfq\n\tjmp %P0" ::"i"(function));                        \
    }

/* All that the code can observe, but for the flags with which it is watched. */
static inline void context_registers(const ucontext_t *context, uintptr_t *registers) {
    memcpy(registers, context->uc_mcontext.gregs, CONTEXT_REGISTER_COUNT * sizeof *registers);
    registers[CONTEXT_FLAGS] &= ~(uintptr_t)(FLAG_TRAP | FLAG_RESUME);
}

static inline void context_floating(const ucontext_t *context, unsigned char *registers) {
    memcpy(registers, context->uc_mcontext.fpregs, CONTEXT_FLOATING_SIZE);
}

/* A trap after every instruction, or no longer; false if the processor does not do that. */
static inline bool context_trace(ucontext_t *context, bool on) {
    greg_t *flags = &context->uc_mcontext.gregs[CONTEXT_FLAGS];
    *flags = on ? *flags | FLAG_TRAP : *flags & ~(greg_t)FLAG_TRAP;
    return true;
}

/* It stands in a system call: after the instruction, or before it to do it again. */
static inline bool context_in_kernel(const ucontext_t *context) {
    static const unsigned char call[] = {0x0f, 0x05};
    const unsigned char *at = (const unsigned char *)context_counter(context);
    return memcmp(at, call, sizeof call) == 0 || memcmp(at - 2, call, sizeof call) == 0;
}

#else

enum { CONTEXT_REGISTER_COUNT = 32, CONTEXT_FLOATING_SIZE = 1 };

static inline uintptr_t context_counter(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.pc;
}

static inline uintptr_t context_stack_pointer(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.sp;
}

static inline uintptr_t context_frame_pointer(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.regs[29];
}

static inline uintptr_t context_argument(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.regs[0];
}

static inline void context_abandon(ucontext_t *context) {
    context->uc_mcontext.pc = runtime.scheduler.resume;
    context->uc_mcontext.sp = runtime.scheduler.stack_pointer;
    context->uc_mcontext.regs[29] = runtime.scheduler.frame_pointer;
}

static inline void context_registers(const ucontext_t *context, uintptr_t *registers) {
    memcpy(registers, context->uc_mcontext.regs, 31 * sizeof *registers);
    registers[31] = context_counter(context);
}

static inline void context_floating(const ucontext_t *context, unsigned char *registers) {
    (void)context;
    registers[0] = 0;
}

static inline bool context_trace(ucontext_t *context, bool on) {
    (void)context;
    (void)on;
    return false;
}

static inline bool context_clear_alignment_check(ucontext_t *context) {
    (void)context;
    return false;
}

#define CONTEXT_HANDLER(name, function)                            \
    static void name(int signal, siginfo_t *info, void *context) { \
        function(signal, info, context);                           \
    }

static inline bool context_in_kernel(const ucontext_t *context) {
    static const unsigned char call[] = {0x01, 0x00, 0x00, 0xd4}; /* svc #0 */
    const unsigned char *at = (const unsigned char *)context_counter(context);
    return memcmp(at, call, sizeof call) == 0 || memcmp(at - 4, call, sizeof call) == 0;
}

#endif

#endif
