#include "targets/runtime/kernel/fiber.h"

bool fiber_environments;

void fiber_usual_environment(fiber_context *context) {
    context->vector_control = FIBER_VECTOR_CONTROL;
    context->x87_control = FIBER_X87_CONTROL;
    context->x87_status = 0;
    context->flags = 0;
}

#if defined(__x86_64__)

static void read_environment(fiber_context *context) {
    uint64_t flags = __builtin_ia32_readeflags_u64();
    context->flags = flags & FIBER_FLAGS;
    if (context->flags) { /* first of all, for compiled code works without them only */
        __builtin_ia32_writeeflags_u64(flags & ~(uint64_t)FIBER_FLAGS);
    }
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
                     : "=m"(context->vector_control), "=m"(context->x87_control),
                       "=m"(context->x87_status));
    context->x87_status &= FIBER_STICKY;
}

/* The control word and the sticky exceptions; nothing is on the stack of the x87 at a call. */
static void write_x87(const fiber_context *to) {
    struct {
        uint16_t control, unused1, status, unused2;
        uint32_t other[5];
    } environment;
    _Static_assert(sizeof environment == 28, "what fnstenv stores");
    __asm__ volatile("fnstenv %0" : "=m"(environment));
    environment.control = to->x87_control;
    environment.status = (uint16_t)((environment.status & ~0x80ff) | to->x87_status);
    __asm__ volatile("fldenv %0" : : "m"(environment));
}

static void write_environment(const fiber_context *now, const fiber_context *to) {
    if (now->vector_control != to->vector_control) {
        __asm__ volatile("ldmxcsr %0" : : "m"(to->vector_control));
    }
    if (now->x87_control != to->x87_control || now->x87_status != to->x87_status) {
        write_x87(to);
    }
    if (to->flags) {
        __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | to->flags);
    }
}

void fiber_inherit(fiber_context *context) {
    fiber_context now;
    read_environment(&now);
    write_environment(&now, &now); /* the flags, which reading has cleared */
    context->vector_control = now.vector_control;
    context->x87_control = now.x87_control;
    context->x87_status = now.x87_status;
    context->flags = 0;
}

void fiber_exchange(fiber_context *from, const fiber_context *to) {
    read_environment(from);
    write_environment(from, to);
}

void fiber_reset_environment(void) {
    fiber_context now, usual;
    fiber_usual_environment(&usual);
    read_environment(&now);
    write_environment(&now, &usual);
}

#else

void fiber_inherit(fiber_context *context) {
    fiber_usual_environment(context);
}

void fiber_exchange(fiber_context *from, const fiber_context *to) {
    (void)from;
    (void)to;
}

void fiber_reset_environment(void) {
}

#endif
