/* Functions in assembly that save registers, call a function of the runtime, and restore them: the
 * frame that they have in common, so that debuggers and unwinders see through them. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_TRAMPOLINE_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_TRAMPOLINE_H

#ifdef __x86_64__
#define TRAMPOLINE_BEGIN(name)         \
    ".text\n"                          \
    ".globl " name                     \
    "\n"                               \
    ".type " name ", @function\n" name \
    ":\n"                              \
    ".cfi_startproc\n"                 \
    "pushq %rbp\n"                     \
    ".cfi_adjust_cfa_offset 8\n"       \
    ".cfi_offset %rbp, -16\n"          \
    "movq %rsp, %rbp\n"                \
    ".cfi_def_cfa_register %rbp\n"

/* The stack pointer is where it was after the beginning. */
#define TRAMPOLINE_END(name) \
    "popq %rbp\n"            \
    ".cfi_def_cfa %rsp, 8\n" \
    "ret\n"                  \
    ".cfi_endproc\n"         \
    ".size " name ", .-" name "\n"
#endif

#endif
