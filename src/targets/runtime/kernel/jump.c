/* setjmp and longjmp: what the place is kept in is the program's memory, and the signal mask that
 * is kept with it is heddle's (signals.h). */
#include <setjmp.h>
#include <stddef.h>

#include "targets/runtime/kernel/frame.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/pending_signals.h"

/* All that there is without a mask; handlers of pthread_cleanup_push have no more (cleanup.c). */
enum { PLACE_SIZE = offsetof(struct __jmp_buf_tag, __saved_mask) };

_Static_assert(sizeof(uint64_t) == sizeof(unsigned long), "a mask is one of libc's words");

/* Marks a saved mask as heddle's own; for libc the buffer has none. */
static unsigned long sign_of(const struct __jmp_buf_tag *place) {
    return (uintptr_t)place ^ 0x6865646d61736b73;
}

static bool has_mask(const struct __jmp_buf_tag *place) {
    return place->__saved_mask.__val[1] == sign_of(place);
}

void heddle_jump_place(struct __jmp_buf_tag *place, int keeps_mask, const void *here);

/* libc is about to fill it in. */
__attribute__((used)) void heddle_jump_place(struct __jmp_buf_tag *place, int keeps_mask,
                                             const void *here) {
    runtime_thread *t = runtime.current;
    unsigned long *mask = place->__saved_mask.__val;
    writes(place, PLACE_SIZE, here);
    if (keeps_mask || has_mask(place)) {
        writes(mask, 2 * sizeof *mask, here);
        mask[0] = t ? t->signal_mask : 0;
        mask[1] = keeps_mask ? sign_of(place) : 0;
    }
}

#ifdef __x86_64__
__asm__(
    ".text\n"
    ".globl heddle_setjmp, heddle__setjmp, heddle___sigsetjmp\n"
    ".type heddle_setjmp, @function\n.type heddle__setjmp, @function\n"
    ".type heddle___sigsetjmp, @function\n"
    "heddle_setjmp:\nmovl $1, %esi\njmp heddle___sigsetjmp\n"
    "heddle__setjmp:\nxorl %esi, %esi\n"
    "heddle___sigsetjmp:\n.cfi_startproc\n"
    "pushq %rdi\n.cfi_adjust_cfa_offset 8\n"
    "movq 8(%rsp), %rdx\n"
    "call heddle_jump_place\n"
    "popq %rdi\n.cfi_adjust_cfa_offset -8\n"
    "xorl %esi, %esi\n"
    "jmp __sigsetjmp@PLT\n"
    ".cfi_endproc\n.size heddle___sigsetjmp, .-heddle___sigsetjmp\n");
#else
__asm__(
    ".text\n"
    ".globl heddle_setjmp, heddle__setjmp, heddle___sigsetjmp\n"
    ".type heddle_setjmp, %function\n.type heddle__setjmp, %function\n"
    ".type heddle___sigsetjmp, %function\n"
    "heddle_setjmp:\nmov w1, #1\nb heddle___sigsetjmp\n"
    "heddle__setjmp:\nmov w1, #0\n"
    "heddle___sigsetjmp:\n.cfi_startproc\n"
    "stp x29, x30, [sp, #-32]!\n.cfi_def_cfa_offset 32\n"
    ".cfi_offset 29, -32\n.cfi_offset 30, -24\n"
    "mov x29, sp\nstr x0, [sp, #16]\nmov x2, x30\n"
    "bl heddle_jump_place\n"
    "ldr x0, [sp, #16]\nldp x29, x30, [sp], #32\n.cfi_def_cfa_offset 0\n"
    "mov w1, #0\nb __sigsetjmp\n"
    ".cfi_endproc\n.size heddle___sigsetjmp, .-heddle___sigsetjmp\n");
#endif

/* Where longjmp will put the stack pointer; 0: not known. glibc keeps it disguised. */
static uintptr_t stack_of_jump(const struct __jmp_buf_tag *place) {
#ifdef __x86_64__
    enum { STACK_POINTER = 6, ROTATION = 17 };
    uintptr_t stack = (uintptr_t)place->__jmpbuf[STACK_POINTER];
    __asm__("rorq %1, %0\n\txorq %%fs:0x30, %0" : "+r"(stack) : "i"(ROTATION));
    return stack;
#else
    (void)place;
    return 0;
#endif
}

/* Frames are left, all at once. Which ones is not known of a stack of the program's own. */
_Noreturn void heddle_longjmp(struct __jmp_buf_tag *place, int value) {
    runtime_thread *t = runtime.current;
    reads(place, PLACE_SIZE, HERE);
    uintptr_t low = FIBER_CALLER_STACK(), high = stack_of_jump(place);
    if (t && low - t->own_low < t->own_size && high - t->own_low < t->own_size) {
        if (high < low) {
            runtime_fail(t, ERROR_MISUSE, LOCATION_HERE(),
                         "longjmp to a place in a function that has returned");
        }
        heddle_frame_ending(low, high, __builtin_return_address(0));
    }
    if (t && has_mask(place)) {
        reads(&place->__saved_mask, 2 * sizeof(unsigned long), HERE);
        DEBUG_CHECK(!place->__mask_was_saved);
        pending_signals_set_mask(place->__saved_mask.__val[0], HERE);
    }
    siglongjmp(place, value);
}
