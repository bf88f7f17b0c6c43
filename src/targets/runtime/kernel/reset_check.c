#define _GNU_SOURCE
#include "targets/runtime/kernel/reset_check.h"

#include <dlfcn.h>
#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"

enum { ARENA_BEFORE = 96, ARENA_SIZE = 2208, CHUNK_SIZE = 100000, WARM_RESETS = 2 };
enum { MAPPED_SIZE = 31 << 20, COUNTERS_SIZE = 256 }; /* below glibc's largest threshold */
enum { FRAMES_SIZE = 512 };

typedef struct checked_range {
    const char *name;
    const unsigned char *low;
    size_t size;
    unsigned char *copy;
} checked_range;

/* What the kernel and the processor keep. */
typedef struct process_facts {
    mode_t creation_mask;
    int rounding;
    sigset_t blocked;
    char directory[PATH_MAX];
    char locale[256];
} process_facts;

static struct {
    bool on;
    uint32_t resets;
    uintptr_t arena;              /* an address inside libc's allocator's data */
    VECTOR(checked_range) ranges; /* the program's, then those of libraries */
    uint32_t own_count;
    process_facts facts;
    reset_check_unseen *has_unseen; /* NULL: nothing can */
    void *context;
} checks;

/* A free block between two others is linked into a list whose head is in the allocator's data. */
static uintptr_t find_arena(void) {
    void *volatile before = malloc(CHUNK_SIZE), *volatile block = malloc(CHUNK_SIZE),
                   *volatile after = malloc(CHUNK_SIZE);
    uintptr_t address = (uintptr_t)block, head;
    CHECK(before && block && after);
    free(block);
    __asm__ volatile("" : "+r"(address));                            /* it is read on purpose */
    memcpy(&head, (const char *)address + sizeof head, sizeof head); /* the backward link */
    free(before);
    free(after);
    return head;
}

static void add_range(const char *name, uintptr_t low, size_t size) {
    checked_range r = {.name = name, .low = (const unsigned char *)low, .size = size};
    r.copy = memory_resize(NULL, 0, size);
    memcpy(r.copy, r.low, size);
    vector_push(&checks.ranges, r);
}

static bool is_libc(const char *name) {
    const char *slash = strrchr(name, '/');
    return text_starts(slash ? slash + 1 : name, "libc.so") ||
           text_starts(slash ? slash + 1 : name, "libm.so");
}

/* The addresses of functions that are found when they are first called: [low, end). */
static void find_bound_late(const struct dl_phdr_info *info, uintptr_t *low, uintptr_t *end) {
    enum { RESERVED = 3 };
    *low = *end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) {
            continue;
        }
        size_t size = 0;
        const ElfW(Dyn) *d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; d->d_tag != DT_NULL; d++) {
            *low = d->d_tag == DT_PLTGOT ? (uintptr_t)d->d_un.d_ptr : *low;
            size = d->d_tag == DT_PLTRELSZ ? (size_t)d->d_un.d_val : size;
        }
        *end = *low + (RESERVED + size / sizeof(ElfW(Rela))) * sizeof(void *);
    }
}

static void add_segment(const struct dl_phdr_info *info, uintptr_t low, uintptr_t end) {
    uintptr_t late_low, late_end;
    find_bound_late(info, &late_low, &late_end);
    if (late_low < end && late_end > low && late_end <= end) { /* its head may be read-only */
        if (late_low > low) {
            add_range(info->dlpi_name, low, late_low - low);
        }
        low = late_end;
    }
    add_range(info->dlpi_name, low, end - low);
}

static int visit(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t protected_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            protected_end =
                info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        }
    }
    for (int i = 0; i < info->dlpi_phnum && is_libc(info->dlpi_name); i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr, end = low + segment->p_memsz;
        low = protected_end > low && protected_end < end ? protected_end : low;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W)) {
            add_segment(info, low, end);
        }
    }
    return 0;
}

static void take_facts(process_facts *facts) {
    memset(facts, 0, sizeof *facts);
    facts->creation_mask = umask(0);
    umask(facts->creation_mask);
    facts->rounding = fegetround();
    CHECK(sigprocmask(SIG_SETMASK, NULL, &facts->blocked) == 0);
    if (!getcwd(facts->directory, sizeof facts->directory)) {
        facts->directory[0] = '\0';
    }
    snprintf(facts->locale, sizeof facts->locale, "%s", setlocale(LC_ALL, NULL));
}

void reset_check_open(void) {
#ifdef HEDDLE_DEBUG
    checks.on = true;
#else
    checks.on = getenv("HEDDLE_CHECK_RESET") != NULL;
#endif
    checks.resets = 0;
    if (checks.on) {
        checks.arena = find_arena();
    }
}

void reset_check_close(void) {
    for (uint32_t i = 0; i < checks.ranges.count; i++) {
        memory_resize(vector_at(&checks.ranges, i).copy, vector_at(&checks.ranges, i).size, 0);
    }
    vector_free(&checks.ranges);
    checks.has_unseen = NULL;
}

void reset_check_ask(reset_check_unseen *has_unseen, void *context) {
    CHECK(has_unseen && !checks.has_unseen);
    checks.has_unseen = has_unseen;
    checks.context = context;
}

/* What belongs to the program when an execution begins. */
static void add_program(void) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        add_range("the program's data", space.segments[i].low, space.segments[i].size);
    }
    const runtime_thread *main = &runtime.threads[RUNTIME_MAIN];
    uintptr_t low = main->tls - FRAMES_SIZE, heap = heap_first(RUNTIME_MAIN);
    CHECK(low >= main->stack_used && low < main->own_low + main->own_size);
    add_range("main's stack", low, main->own_low + main->own_size - low);
    if (main->heap.next > heap) {
        add_range("the heap", heap, main->heap.next - heap);
    }
}

/* The bytes of libc in which it counts mappings; none: another allocator has taken its place. */
static struct mapping_counters { uintptr_t low, high; } mapping_counters = {.low = UINTPTR_MAX};

static bool is_allocator(const unsigned char *at) {
    return (uintptr_t)at - (checks.arena - ARENA_BEFORE) < ARENA_SIZE ||
           ((uintptr_t)at >= mapping_counters.low && (uintptr_t)at < mapping_counters.high);
}

static void note_counters(const checked_range *r) {
    for (size_t i = 0; i < r->size; i++) {
        uintptr_t at = (uintptr_t)r->low + i;
        if (r->low[i] != r->copy[i] && !is_allocator(r->low + i)) {
            mapping_counters.low = at < mapping_counters.low ? at : mapping_counters.low;
            mapping_counters.high = at + 8 > mapping_counters.high ? at + 8 : mapping_counters.high;
        }
    }
}

/* What a block changes that has a mapping of its own, apart from the allocator's lists: how many
 * there are, how large, and from which size on a block has one. heddle itself allocates such blocks
 * while the program runs. */
static void find_counters(uint32_t first_range) {
    static bool searched; /* once: a block that was freed changes what a second one does */
    if (searched) {
        return;
    }
    searched = true;
    void *volatile block = malloc(MAPPED_SIZE);
    CHECK(block);
    for (int freed = 0; freed < 2; freed++) {
        for (uint32_t i = first_range; i < checks.ranges.count; i++) {
            note_counters(&vector_at(&checks.ranges, i));
        }
        free(block);
        block = NULL;
    }
    CHECK(!mapping_counters.high || mapping_counters.high - mapping_counters.low <= COUNTERS_SIZE);
}

static void take_first(void) {
    add_program();
    checks.own_count = checks.ranges.count;
    dl_iterate_phdr(visit, NULL);
    find_counters(checks.own_count);
    take_facts(&checks.facts);
}

/* True: a byte differs. */
static bool report_difference(const checked_range *r) {
    for (size_t i = 0; i < r->size; i++) {
        if (r->low[i] == r->copy[i] || is_allocator(r->low + i)) {
            continue;
        }
        Dl_info info;
        bool named = dladdr(r->low + i, &info) && info.dli_sname;
        if (named && strcmp(info.dli_sname, "__curbrk") == 0) {
            continue; /* the allocator's as well */
        }
        fprintf(stderr, "heddle: not put back: %s + %#zx (%s), byte %02x was %02x\n", r->name, i,
                named ? info.dli_sname : "?", r->low[i], r->copy[i]);
        return true;
    }
    return false;
}

static bool report_facts(void) {
    process_facts now;
    take_facts(&now);
    if (memcmp(&now, &checks.facts, sizeof now) == 0) {
        return false;
    }
    fprintf(stderr,
            "heddle: not put back: mask %o was %o, rounding %d was %d, directory %s was %s, "
            "locale %s was %s\n",
            now.creation_mask, checks.facts.creation_mask, now.rounding, checks.facts.rounding,
            now.directory, checks.facts.directory, now.locale, checks.facts.locale);
    return true;
}

void reset_check(void) {
    checks.on = checks.on && !runtime.settings.echo; /* libc's streams keep what is printed */
    if (!checks.on || ++checks.resets < WARM_RESETS) {
        return;
    }
    if (checks.resets == WARM_RESETS) {
        take_first();
        return;
    }
    bool seen = !checks.has_unseen || !checks.has_unseen(checks.context);
    uint32_t count = seen ? checks.ranges.count : checks.own_count;
    bool differs = seen && report_facts();
    for (uint32_t i = 0; i < count; i++) {
        differs = report_difference(&vector_at(&checks.ranges, i)) || differs;
    }
    if (differs) {
        check_failed(__FILE__, __LINE__, "an execution begins as the first one did");
    }
}
