#define _GNU_SOURCE
#include "bench/sampler.h"

#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "base/vector.h"

enum { PERIOD_US = 1000 };

typedef struct code_range {
    uintptr_t low, size;
} code_range;

static VECTOR(uintptr_t) known; /* where objects were loaded before the program */
static VECTOR(code_range) ranges;
static volatile uint64_t samples, own;

static int note_known(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    vector_push(&known, (uintptr_t)info->dlpi_addr);
    return 0;
}

void sampler_before_load(void) {
    vector_clear(&known);
    dl_iterate_phdr(note_known, NULL);
}

static bool is_known(uintptr_t base) {
    for (uint32_t i = 0; i < known.count; i++) {
        if (vector_at(&known, i) == base) {
            return true;
        }
    }
    return false;
}

static int note_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (int i = 0; !is_known((uintptr_t)info->dlpi_addr) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            code_range r = {(uintptr_t)info->dlpi_addr + part->p_vaddr, part->p_memsz};
            vector_push(&ranges, r);
        }
    }
    return 0;
}

void sampler_after_load(void) {
    vector_clear(&ranges);
    dl_iterate_phdr(note_code, NULL);
}

static uintptr_t program_counter(const ucontext_t *c) {
#if defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)c->uc_mcontext.pc;
#endif
}

static void take_sample(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    uintptr_t counter = program_counter(context);
    samples++;
    for (uint32_t i = 0; i < ranges.count; i++) {
        own += counter - ranges.items[i].low < ranges.items[i].size;
    }
}

static void set_timer(long period_us) {
    struct itimerval timer = {.it_interval = {.tv_usec = period_us},
                              .it_value = {.tv_usec = period_us}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

void sampler_start(void) {
    struct sigaction action = {.sa_sigaction = take_sample,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    samples = own = 0;
    sigaction(SIGPROF, &action, NULL);
    set_timer(PERIOD_US);
}

double sampler_stop(void) {
    set_timer(0);
    return samples ? (double)own / (double)samples : 0;
}
