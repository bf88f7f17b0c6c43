#define _GNU_SOURCE
#include "targets/native/frames.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

/* DWARF's numbers. */
#if defined(__x86_64__)
enum { FRAME_POINTER = 6, STACK_POINTER = 7 };
#else
enum { FRAME_POINTER = 29, STACK_POINTER = 31 };
#endif

/* A walk; libdwfl asks for these. */
typedef struct walk {
    const runtime_thread *thread;
    uintptr_t code, stack_pointer, frame_pointer;
    frame *frames;
    uint32_t count, most;
} walk;

static walk *current;

/* ---- what the process has loaded ---- */

static int report_object(struct dl_phdr_info *info, size_t size, void *context) {
    Dwfl *dwfl = context;
    (void)size;
    const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    if (path[0] == '/' && !dwfl_addrmodule(dwfl, info->dlpi_addr)) {
        dwfl_report_elf(dwfl, path, path, -1, info->dlpi_addr, false);
    }
    return 0;
}

/* ---- callbacks ---- */

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread) {
    (void)dwfl;
    bool first = *thread == NULL;
    *thread = context;
    return first ? getpid() : 0;
}

static bool get_thread(Dwfl *dwfl, pid_t thread, void *context, void **argument) {
    (void)dwfl, (void)thread;
    *argument = context;
    return true;
}

/* Reads only the stack: other memory is not part of a frame. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context) {
    (void)dwfl;
    const walk *w = *(walk *const *)context;
    const runtime_thread *t = w->thread;
    if (address < w->stack_pointer || address - t->own_low > t->own_size - sizeof *word) {
        return false;
    }
    memcpy(word, (const void *)(uintptr_t)address, sizeof *word);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context) {
    const walk *w = *(walk *const *)context;
    Dwarf_Word frame_pointer = w->frame_pointer, stack_pointer = w->stack_pointer;
    dwfl_thread_state_register_pc(thread, w->code);
    return dwfl_thread_state_registers(thread, FRAME_POINTER, 1, &frame_pointer) &&
           dwfl_thread_state_registers(thread, STACK_POINTER, 1, &stack_pointer);
}

static const Dwfl_Thread_Callbacks callbacks = {
    .next_thread = next_thread,
    .get_thread = get_thread,
    .memory_read = read_memory,
    .set_initial_registers = set_registers,
};

/* The stack pointer of a caller is where the frame of the callee begins. */
static int visit_frame(Dwfl_Frame *state, void *context) {
    walk *w = context;
    Dwarf_Addr code;
    Dwarf_Word stack_pointer;
    bool activation;
    if (!dwfl_frame_pc(state, &code, &activation) ||
        dwfl_frame_reg(state, STACK_POINTER, &stack_pointer) != 0) {
        return DWARF_CB_ABORT;
    }
    if (w->count) {
        w->frames[w->count - 1].top = stack_pointer;
    }
    if (w->count == w->most) {
        return DWARF_CB_ABORT;
    }
    w->frames[w->count++] = (frame){.code = activation ? code : code - 1};
    return DWARF_CB_OK;
}

/* ---- the walk ---- */

static bool attach(Dwfl *dwfl) {
    if (dwfl_pid(dwfl) >= 0) {
        return true;
    }
    dwfl_report_begin_add(dwfl);
    dl_iterate_phdr(report_object, dwfl);
    dwfl_report_end(dwfl, NULL, NULL);
    return dwfl_attach_state(dwfl, NULL, getpid(), &callbacks, &current);
}

static bool runs_on(const runtime_thread *t, uintptr_t stack_pointer) {
    return stack_pointer - t->own_low < t->own_size;
}

__attribute__((noinline)) uint32_t frames_of(Dwfl *dwfl, const runtime_thread *t, frame *frames,
                                             uint32_t most) {
    uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
    walk w = {.thread = t, .frames = frames, .most = most};
    if (runs_on(t, here)) { /* from our caller on */
        w.code = (uintptr_t)__builtin_return_address(0);
        w.stack_pointer = here;
        w.frame_pointer = *(uintptr_t *)__builtin_frame_address(0);
    } else {
        w.code = t->context.resume;
        w.stack_pointer = t->context.stack_pointer;
        w.frame_pointer = t->context.frame_pointer;
    }
    if (!runs_on(t, w.stack_pointer) || !attach(dwfl)) {
        return 0;
    }
    current = &w;
    dwfl_getthread_frames(dwfl, dwfl_pid(dwfl), visit_frame, &w);
    current = NULL;
    /* The start of the last one is unknown. */
    return w.count ? w.count - 1 : 0;
}
