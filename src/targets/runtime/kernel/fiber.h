/* A fiber: a stack and the place where it continues. Switching is a jump, not a return, because a
 * `ret` to another stack mispredicts every time (3 ns against 10).
 *
 * The switch is inlined and clobbers every register but the stack and frame pointers: the compiler
 * then saves exactly what is live, on the fiber's own stack, where a comparison of states sees it.
 * Rejected: ucontext (a system call per switch).
 *
 * The floating-point environment (rounding mode, masks, sticky exceptions) and the flags that
 * outlast an instruction (alignment check, direction) belong to the fiber as well:
 * fiber_environment exchanges them, from the moment when the program is seen to change one. Reading
 * mxcsr at every switch, to see it at once, took 4 % of the time of native explorations, all of it
 * 7 %. (On x86-64; elsewhere fibers share them.) */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_FIBER_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fiber_context {
    uintptr_t resume;
    uintptr_t stack_pointer;
    uintptr_t frame_pointer;
    uint32_t vector_control; /* mxcsr */
    uint16_t x87_control, x87_status;
    uint32_t flags; /* alignment check and direction */
    uint32_t unused;
} fiber_context;

/* Fibers have environments of their own. */
extern bool fiber_environments;

/* Makes `context` start runtime_thread_main on the stack that ends at `top`. */
void fiber_prepare(fiber_context *context, uintptr_t top);

/* The environment is that of the running fiber: a new thread's is its creator's. */
void fiber_inherit(fiber_context *context);

/* What a process starts with: round to nearest, no exception traps. */
void fiber_usual_environment(fiber_context *context);

/* From the running fiber, whose environment is kept in `from`, to that of `to`. */
void fiber_exchange(fiber_context *from, const fiber_context *to);

/* The program has changed the environment; the usual one is restored. Sticky exceptions do not
 * count. */
static inline bool fiber_environment_changed(void);
void fiber_reset_environment(void);

/* What a fiber runs first; never returns. Defined where threads are. */
_Noreturn void runtime_thread_main(void);

/* For functions in which a switch happens: return by an indirect jump. The processor predicts a
 * `ret` from the calls it has seen, and after a switch those belong to another stack: every such
 * return would be mispredicted, on both sides of every step. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FIBER_RETURN __attribute__((noinline, function_return("thunk-extern")))
#else
#define FIBER_RETURN __attribute__((noinline))
#endif

/* After the last call of such a function: were that a jump, its own return would be the one. */
#define FIBER_LAST_CALL() __asm__ volatile("")

/* The stack pointer of the caller of the function that this is in: frames that are alive lie at or
 * above it. */
#define FIBER_CALLER_STACK() ((uintptr_t)__builtin_dwarf_cfa())

/* Continues with a function that does not return, on a stack that ends at `top`; what lies on the
 * present one stays as it is. */
_Noreturn static inline __attribute__((always_inline)) void fiber_leave_stack(uintptr_t top,
                                                                              void (*function)(int),
                                                                              int argument) {
#if defined(__x86_64__)
    __asm__ volatile(
        "movq %0, %%rsp\n\t"
        "xorl %%ebp, %%ebp\n\t"
        "call *%1\n\t"
        "ud2"
        :
        : "r"(top), "r"(function), "D"(argument)
        : "memory");
#else
    register int x0 __asm__("x0") = argument;
    __asm__ volatile(
        "mov sp, %0\n\t"
        "mov x29, xzr\n\t"
        "blr %1\n\t"
        "brk #1"
        :
        : "r"(top), "r"(function), "r"(x0)
        : "memory");
#endif
    __builtin_unreachable();
}

enum {
    FIBER_VECTOR_CONTROL = 0x1f80, /* mxcsr of a new process */
    FIBER_X87_CONTROL = 0x37f,
    FIBER_STICKY = 0x3f,   /* exceptions, in mxcsr and in the status of the x87 */
    FIBER_FLAGS = 0x40400, /* alignment check, direction */
};

#if defined(__x86_64__)

static inline bool fiber_environment_changed(void) {
    uint32_t control;
    uint16_t x87_control;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control), "=m"(x87_control));
    uint64_t flags = __builtin_ia32_readeflags_u64() & FIBER_FLAGS;
    control = (control & ~(uint32_t)FIBER_STICKY) ^ FIBER_VECTOR_CONTROL;
    return (control | (x87_control ^ FIBER_X87_CONTROL) | flags) != 0;
}

/* Clears the callee-saved registers afterwards. Otherwise the next call would save those of the
 * other side on this stack, where a later frame may have memory that is never written, and equal
 * states would look different. */
static inline __attribute__((always_inline)) void fiber_switch(fiber_context *from,
                                                               const fiber_context *to) {
    register fiber_context *rdi __asm__("rdi") = from;
    register const fiber_context *rsi __asm__("rsi") = to;
    __asm__ volatile(
        "cmpb $0, fiber_environments(%%rip)\n\t"
        "je 2f\n\t"
        "leaq -128(%%rsp), %%rsp\n\t" /* over the red zone */
        "call heddle_fiber_exchange\n\t"
        "leaq 128(%%rsp), %%rsp\n"
        "2:\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, 0(%%rdi)\n\t"
        "movq %%rsp, 8(%%rdi)\n\t"
        "movq %%rbp, 16(%%rdi)\n\t"
        "movq 8(%%rsi), %%rsp\n\t"
        "movq 16(%%rsi), %%rbp\n\t"
        "jmpq *0(%%rsi)\n"
        "1:\n\t"
        "xorl %%ebx, %%ebx\n\t"
        "xorl %%r12d, %%r12d\n\t"
        "xorl %%r13d, %%r13d\n\t"
        "xorl %%r14d, %%r14d\n\t"
        "xorl %%r15d, %%r15d\n\t"
        : "+r"(rdi), "+r"(rsi)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc",
          "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#elif defined(__aarch64__)

static inline bool fiber_environment_changed(void) {
    return false;
}

static inline __attribute__((always_inline)) void fiber_switch(fiber_context *from,
                                                               const fiber_context *to) {
    register fiber_context *x0 __asm__("x0") = from;
    register const fiber_context *x1 __asm__("x1") = to;
    __asm__ volatile(
        "adr x9, 1f\n\t"
        "mov x10, sp\n\t"
        "stp x9, x10, [x0]\n\t"
        "str x29, [x0, #16]\n\t"
        "ldp x9, x10, [x1]\n\t"
        "ldr x29, [x1, #16]\n\t"
        "mov sp, x10\n\t"
        "br x9\n"
        "1:\n\t"
        "mov x19, xzr\n\t"
        "mov x20, xzr\n\t"
        "mov x21, xzr\n\t"
        "mov x22, xzr\n\t"
        "mov x23, xzr\n\t"
        "mov x24, xzr\n\t"
        "mov x25, xzr\n\t"
        "mov x26, xzr\n\t"
        "mov x27, xzr\n\t"
        "mov x28, xzr\n\t"
        : "+r"(x0), "+r"(x1)
        :
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
          "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
          "x30", "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
          "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
          "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

#else
#error "heddle has fiber switches for x86-64 and aarch64"
#endif

#endif
