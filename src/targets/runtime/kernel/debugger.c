#include "targets/runtime/kernel/debugger.h"

#include "base/memory.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/space.h"

debugger_table heddle_debugger;

static debugger_thread *records;

/* Where a step begins at which the debugger stops. Should the debugger not set the program counter
 * itself, the thread continues all the same. */
void heddle_debugger_resumed(void);

#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl heddle_debugger_resumed\n"
    ".type heddle_debugger_resumed, @function\n"
    "heddle_debugger_resumed:\n"
    "nop\n"
    "jmpq *heddle_debugger+32(%rip)\n"
    ".size heddle_debugger_resumed, .-heddle_debugger_resumed\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n"
    ".globl heddle_debugger_resumed\n"
    ".type heddle_debugger_resumed, %function\n"
    "heddle_debugger_resumed:\n"
    "nop\n"
    "adrp x9, heddle_debugger+32\n"
    "ldr x9, [x9, :lo12:heddle_debugger+32]\n"
    "br x9\n"
    ".size heddle_debugger_resumed, .-heddle_debugger_resumed\n");
#endif
_Static_assert(offsetof(debugger_table, resume) == 32, "as the jump has it");
_Static_assert(sizeof(debugger_thread) == 160, "as debuggers have it");
_Static_assert(offsetof(runtime_thread, context) == 0, "runtime.current is its address as well");

/* Breakpoints: functions that stay, and are called. */
#define DEBUGGER_MARK __attribute__((noinline, used))

DEBUGGER_MARK void heddle_debugger_failed(void) {
    __asm__ volatile("" : : : "memory");
}

void heddle_debugger_ended(void);

DEBUGGER_MARK void heddle_debugger_ended(void) {
    __asm__ volatile("" : : : "memory");
}

void debugger_open(uint64_t stop) {
    if (!records) {
        records = memory_resize(NULL, 0, RUNTIME_MAX_THREADS * sizeof *records);
        for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
            records[i].context = (uintptr_t)&runtime.threads[i].context;
        }
    }
    heddle_debugger = (debugger_table){.version = DEBUGGER_VERSION,
                                       .stop = stop,
                                       .threads = (uintptr_t)records,
                                       .text_low = space.text_low,
                                       .text_size = space.text_size,
                                       .current = (uintptr_t)&runtime.current};
}

/* ---- records ---- */

static enum debugger_state state_of(const runtime_thread *t, const operation *pending) {
    switch ((enum thread_status)t->status) {
        case THREAD_NONE: return DEBUGGER_ABSENT;
        case THREAD_LIVE:
        case THREAD_STOPPED:
            return pending && operation_enabled(pending) ? DEBUGGER_READY : DEBUGGER_BLOCKED;
        case THREAD_ENDED: return DEBUGGER_ENDED;
        case THREAD_GONE: break;
    }
    return DEBUGGER_FAILED;
}

/* Never 0, which is of no operation. */
static uint64_t operation_identity(const operation *o) {
    return 1 + o->kind + ((uint64_t)o->object << 16);
}

static void update_records(debugger_describe *describe, void *context) {
    heddle_debugger.thread_count = runtime.thread_count;
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        debugger_thread *r = &records[i];
        const operation *pending = runtime_pending(NULL, i);
        r->state = state_of(&runtime.threads[i], pending);
        uint64_t identity = pending ? operation_identity(pending) : 0;
        if (identity != r->described) {
            r->described = identity;
            r->operation[0] = '\0';
            if (pending) {
                describe(context, i, r->operation, sizeof r->operation);
            }
        }
    }
}

void debugger_step(uint64_t step, uint32_t thread, debugger_describe *describe, void *context) {
    CHECK(heddle_debugger.version == DEBUGGER_VERSION);
    update_records(describe, context);
    CHECK(thread < runtime.thread_count);
    heddle_debugger.step = step;
    heddle_debugger.thread = thread;
    if (step == heddle_debugger.stop) {
        fiber_context *next = &runtime.threads[thread].context;
        heddle_debugger.resume = next->resume;
        next->resume = (uintptr_t)heddle_debugger_resumed;
    }
}

void debugger_end(uint64_t step, debugger_describe *describe, void *context) {
    update_records(describe, context);
    heddle_debugger.step = step;
    heddle_debugger_ended();
}

void debugger_crash(uintptr_t counter, uintptr_t stack_pointer, uintptr_t frame_pointer) {
    if (records) {
        debugger_thread *r = &records[runtime.current->number];
        r->fault[0] = counter;
        r->fault[1] = stack_pointer;
        r->fault[2] = frame_pointer;
    }
    heddle_debugger_failed();
}
