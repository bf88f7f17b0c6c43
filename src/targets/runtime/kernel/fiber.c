#include "targets/runtime/kernel/fiber.h"

_Static_assert(offsetof(fiber_context, resume) == 0, "as fiber_switch has it");
_Static_assert(offsetof(fiber_context, stack_pointer) == 8, "as fiber_switch has it");
_Static_assert(offsetof(fiber_context, frame_pointer) == 16, "as fiber_switch has it");
_Static_assert(sizeof(fiber_context) == 40, "it has no padding: states with one are compared");

/* The first frame of a fiber. It clears all registers, so that two runs of the same thread have
 * equal stacks, and ends the unwinding of backtraces. */
void heddle_fiber_entry(void);

#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl heddle_fiber_entry\n"
    ".type heddle_fiber_entry, @function\n"
    "heddle_fiber_entry:\n"
    ".cfi_startproc\n"
    ".cfi_undefined rip\n"
    "xorl %ebp, %ebp\n"
    "xorl %ebx, %ebx\n"
    "xorl %r12d, %r12d\n"
    "xorl %r13d, %r13d\n"
    "xorl %r14d, %r14d\n"
    "xorl %r15d, %r15d\n"
    "xorl %eax, %eax\n"
    "xorl %ecx, %ecx\n"
    "xorl %edx, %edx\n"
    "xorl %esi, %esi\n"
    "xorl %edi, %edi\n"
    "xorl %r8d, %r8d\n"
    "xorl %r9d, %r9d\n"
    "xorl %r10d, %r10d\n"
    "xorl %r11d, %r11d\n"
    /* the announcements of inline assembly keep these on the stack */
    ".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
    "xorps %xmm\\number, %xmm\\number\n"
    ".endr\n"
    "call runtime_thread_main\n"
    "ud2\n"
    ".cfi_endproc\n"
    ".size heddle_fiber_entry, .-heddle_fiber_entry\n"

    /* fiber_exchange, called from the middle of a switch: the stack may have any alignment, and rdi
     * and rsi are kept. */
    ".globl heddle_fiber_exchange\n"
    ".type heddle_fiber_exchange, @function\n"
    "heddle_fiber_exchange:\n"
    ".cfi_startproc\n"
    "pushq %rbp\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_rel_offset rbp, 0\n"
    "movq %rsp, %rbp\n"
    ".cfi_def_cfa_register rbp\n"
    "pushq %rdi\n"
    "pushq %rsi\n"
    "andq $-16, %rsp\n"
    "call fiber_exchange\n"
    "movq -8(%rbp), %rdi\n"
    "movq -16(%rbp), %rsi\n"
    "leave\n"
    ".cfi_def_cfa rsp, 8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size heddle_fiber_exchange, .-heddle_fiber_exchange\n"

    /* The return of a FIBER_RETURN function. */
    ".globl __x86_return_thunk\n"
    ".type __x86_return_thunk, @function\n"
    "__x86_return_thunk:\n"
    ".cfi_startproc\n"
    "popq %rcx\n"
    ".cfi_adjust_cfa_offset -8\n"
    ".cfi_register rip, rcx\n"
    "jmpq *%rcx\n"
    ".cfi_endproc\n"
    ".size __x86_return_thunk, .-__x86_return_thunk\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".globl heddle_fiber_entry\n"
    ".type heddle_fiber_entry, %function\n"
    "heddle_fiber_entry:\n"
    ".cfi_startproc\n"
    ".cfi_undefined x30\n"
    "mov x19, xzr\n"
    "mov x20, xzr\n"
    "mov x21, xzr\n"
    "mov x22, xzr\n"
    "mov x23, xzr\n"
    "mov x24, xzr\n"
    "mov x25, xzr\n"
    "mov x26, xzr\n"
    "mov x27, xzr\n"
    "mov x28, xzr\n"
    "mov x29, xzr\n"
    "mov x30, xzr\n"
    "bl runtime_thread_main\n"
    "brk #1\n"
    ".cfi_endproc\n"
    ".size heddle_fiber_entry, .-heddle_fiber_entry\n");
#endif

void fiber_prepare(fiber_context *context, uintptr_t top) {
    context->resume = (uintptr_t)heddle_fiber_entry;
    context->stack_pointer = top & ~(uintptr_t)15;
    context->frame_pointer = 0;
    fiber_usual_environment(context);
}
