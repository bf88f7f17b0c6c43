/* Functions whose names SV-COMP gives a meaning (targets/native/atomic_functions.h) call these
 * first and last. All registers in which arguments or results may be stay as they are. */
#include <stdint.h>

#include "targets/runtime/kernel/exports.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/trampoline.h"
#include "targets/runtime/sync/section.h"

void heddle_atomic_entered(const void *return_address);
void heddle_atomic_left(const void *return_address);
void heddle_error_entered(const void *return_address);

void runtime_link_atomic_function(void) {
}

void heddle_atomic_entered(const void *return_address) {
    uint32_t location = location_of(return_address);
    runtime_before_park();
    section_begin(location);
}

void heddle_atomic_left(const void *return_address) {
    section_end(location_of(return_address));
}

/* The program's own reach_error, whatever it does. */
void heddle_error_entered(const void *return_address) {
    if (runtime.settings.svcomp && runtime.current) {
        runtime_fail(runtime.current, ERROR_ASSERTION, location_of(return_address),
                     "reach_error called");
    }
}

#ifdef __x86_64__
/* Two return addresses are on the stack: it is aligned by a word more, which is always the same. */
#define KEEPING_REGISTERS(name, callee, address)                  \
    __asm__(TRAMPOLINE_BEGIN(                                     \
        name) "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\n"  \
              "pushq %r8\npushq %r9\npushq %r10\npushq %rax\n"    \
              "pushq $0\nsubq $128, %rsp\n"                       \
              "movaps %xmm0, (%rsp)\nmovaps %xmm1, 16(%rsp)\n"    \
              "movaps %xmm2, 32(%rsp)\nmovaps %xmm3, 48(%rsp)\n"  \
              "movaps %xmm4, 64(%rsp)\nmovaps %xmm5, 80(%rsp)\n"  \
              "movaps %xmm6, 96(%rsp)\nmovaps %xmm7, 112(%rsp)\n" \
              "movq " address                                     \
              "(%rbp), %rdi\n"                                    \
              "call " callee                                      \
              "\n"                                                \
              "movaps (%rsp), %xmm0\nmovaps 16(%rsp), %xmm1\n"    \
              "movaps 32(%rsp), %xmm2\nmovaps 48(%rsp), %xmm3\n"  \
              "movaps 64(%rsp), %xmm4\nmovaps 80(%rsp), %xmm5\n"  \
              "movaps 96(%rsp), %xmm6\nmovaps 112(%rsp), %xmm7\n" \
              "addq $136, %rsp\n"                                 \
              "popq %rax\npopq %r10\npopq %r9\npopq %r8\n"        \
              "popq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\n" TRAMPOLINE_END(name))

KEEPING_REGISTERS("heddle_atomic_enter", "heddle_atomic_entered", "8");
KEEPING_REGISTERS("heddle_atomic_leave", "heddle_atomic_left", "8");
KEEPING_REGISTERS("heddle_error_enter", "heddle_error_entered", "16"); /* of its caller */
#endif
