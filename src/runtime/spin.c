#include "runtime/spin.h"

#include <string.h>
#include <unwind.h>

#include "base/vector.h"
#include "runtime/state.h"

enum { MOST_TRIAL_STEPS = 10000 };

/* Numbers in DWARF of the registers that a function must preserve. */
#if defined(__x86_64__)
static const int saved_registers[] = {3, 6, 12, 13, 14, 15};
#else
static const int saved_registers[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif

enum { SAVED_REGISTERS = sizeof saved_registers / sizeof *saved_registers };

/* A thread's local state but for its stack. */
typedef struct spin_local {
    uintptr_t place, stack_pointer; /* of the call that announces the step */
    uintptr_t heap;
    uint64_t random, ticks;
    int error_number;
} spin_local;

typedef struct spin_state {
    spin_local local;
    uintptr_t frame; /* end of heddle's frames: what lies above is the program's */
    uintptr_t registers[SAVED_REGISTERS];
    VECTOR(uint8_t) stack;
} spin_state;

static spin_state kept[RUNTIME_MAX_THREADS];

static spin_local local_of(const runtime_thread *t, uint32_t place, uintptr_t stack_pointer) {
    spin_local local;
    memset(&local, 0, sizeof local);
    local.place = place;
    local.stack_pointer = stack_pointer;
    local.heap = t->heap.next;
    local.random = t->random;
    local.ticks = t->ticks;
    local.error_number = *runtime.error_number;
    return local;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *raw) {
    spin_state *s = raw;
    if (!space_in_text(_Unwind_GetIP(context))) {
        s->frame = _Unwind_GetCFA(context); /* of the last one of heddle's */
        return _URC_NO_REASON;
    }
    for (int i = 0; i < SAVED_REGISTERS; i++) {
        s->registers[i] = _Unwind_GetGR(context, saved_registers[i]);
    }
    return _URC_END_OF_STACK;
}

static size_t stack_size(const runtime_thread *t, const spin_state *s) {
    return t->own_low + t->own_size - s->frame;
}

/* Calls from one place have the same frames below the program's. */
static bool is_kept(const runtime_thread *t, const spin_state *s, const spin_local *local) {
    if (memcmp(&s->local, local, sizeof *local) != 0 ||
        memcmp(s->stack.items, (const void *)s->frame, s->stack.count) != 0) {
        return false;
    }
    spin_state now = {.frame = 0};
    _Unwind_Backtrace(visit, &now);
    return now.frame == s->frame &&
           memcmp(now.registers, s->registers, sizeof now.registers) == 0 &&
           s->stack.count == stack_size(t, s);
}

static void keep(const runtime_thread *t, spin_state *s, const spin_local *local) {
    runtime.exact = true; /* a replay must leave the same behind in what is dead */
    s->local = *local;
    _Unwind_Backtrace(visit, s);
    vector_resize(&s->stack, (uint32_t)stack_size(t, s));
    memcpy(s->stack.items, (const void *)s->frame, s->stack.count);
}

__attribute__((noinline)) void spin_turn(runtime_thread *t, uint32_t place) {
    if (runtime.compared) {
        return;
    }
    spin_state *s = &kept[t->number];
    spin_local local = local_of(t, place, (uintptr_t)__builtin_frame_address(0));
    uint32_t turns = ++t->spin_turns;
    if (turns > 1 && is_kept(t, s, &local)) {
        t->status = THREAD_SPINNING;
        t->refresh = REFRESH_NEVER;
        runtime_park(t); /* comes back only on trial */
    } else if ((turns & (turns - 1)) == 0) {
        keep(t, s, &local);
    }
}

/* Goes round once more. True if that was for nothing again. */
static bool spins_for_ever(runtime_thread *t) {
    runtime_state before = runtime;
    uint32_t turns = t->spin_turns;
    t->status = THREAD_LIVE;
    for (uint32_t i = 0; i < MOST_TRIAL_STEPS && t->status == THREAD_LIVE; i++) {
        runtime_resume(t);
        if (t->status == THREAD_LIVE && !t->spin_place) { /* about to do something */
            break;
        }
    }
    runtime = before;
    return t->status == THREAD_SPINNING && t->spin_turns > turns;
}

void spin_settle(void) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        runtime_thread *t = &runtime.threads[i];
        if (t->status != THREAD_SPINNING) {
            continue;
        }
        if (spins_for_ever(t)) {
            t->status = THREAD_LIVE; /* and waits, in conflict with nobody */
            t->pending.kind = OPERATION_AWAIT;
            t->pending.flags = 0;
            t->pending.footprint = FOOTPRINT_EMPTY;
        } else {
            t->status = THREAD_STOPPED;
        }
    }
}

void spin_close(void) {
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        vector_free(&kept[i].stack);
    }
}

void spin_pass(state_cursor *c, const runtime_thread *t) {
    spin_state *s = &kept[t->number];
    uint32_t size = t->spin_turns ? s->stack.count : 0;
    STATE_PASS(c, size);
    if (!size) {
        return;
    }
    vector_resize(&s->stack, size);
    STATE_PASS(c, s->local);
    STATE_PASS(c, s->frame);
    STATE_PASS(c, s->registers);
    state_pass(c, s->stack.items, size);
}
