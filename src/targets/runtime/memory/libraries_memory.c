#define _GNU_SOURCE
#include "targets/runtime/memory/libraries_memory.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "base/maps.h"
#include "base/text.h"
#include "targets/runtime/memory/space.h"

enum { MOST_RANGES = 512 };

typedef struct memory_range {
    uintptr_t low, high;
} memory_range;

static struct {
    memory_range ranges[MOST_RANGES];
    uint32_t count;
    bool others; /* libraries beside libc's own are loaded, which may hand out memory */
} known;

static void add(uintptr_t low, uintptr_t high) {
    if (known.count < MOST_RANGES && low < high) {
        known.ranges[known.count++] = (memory_range){low, high};
    } else if (known.count == MOST_RANGES) {
        known.others = true; /* nothing is called wild that is not known */
    }
}

/* Variables of libc that programs set. In heddle's own image there may be copies of them. */
static void add_variables(void) {
    static const struct {
        const char *name;
        size_t size;
    } variables[] = {
        {"optarg", 8},
        {"optind", 4},
        {"opterr", 4},
        {"optopt", 4},
        {"stdin", 8},
        {"stdout", 8},
        {"stderr", 8},
        {"environ", 8},
        {"__environ", 8},
        {"timezone", 8},
        {"daylight", 4},
        {"tzname", 16},
        {"signgam", 4},
        {"program_invocation_name", 8},
        {"program_invocation_short_name", 8},
        {"error_one_per_line", 4},
        {"error_message_count", 4},
        {"obstack_alloc_failed_handler", 8},
    };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        uintptr_t address = (uintptr_t)dlsym(RTLD_DEFAULT, variables[i].name);
        if (address) {
            add(address, address + variables[i].size);
        }
    }
}

static bool is_libc(const char *name) {
    static const char *const names[] = {"libc.so", "libm.so", "libpthread.so", "ld-linux",
                                        "libdl.so", "librt.so", "libgcc_s.so", "linux-vdso",
                                        /* heddle's own */
                                        "libdw.so", "libelf.so", "libz.so", "liblzma.so",
                                        "libbz2.so", "libzstd.so", "libatomic.so", NULL};
    const char *slash = strrchr(name, '/');
    const char *plain = slash ? slash + 1 : name;
    for (const char *const *n = names; *n; n++) {
        if (text_starts(plain, *n)) {
            return true;
        }
    }
    return false;
}

/* The first one is heddle itself. */
static int visit(struct dl_phdr_info *info, size_t size, void *first) {
    (void)size;
    if (*(bool *)first) {
        *(bool *)first = false;
        return 0;
    }
    bool program = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr;
        program = program || (segment->p_type == PT_LOAD && low == space.image_low);
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W)) {
            add(low, low + segment->p_memsz);
        } else if (segment->p_type == PT_TLS && info->dlpi_tls_data) {
            add((uintptr_t)info->dlpi_tls_data, (uintptr_t)info->dlpi_tls_data + segment->p_memsz);
        }
    }
    known.others = known.others || (!program && !is_libc(info->dlpi_name));
    return 0;
}

/* The arguments and the environment stand at the end of the process's stack. */
static bool add_environment(void *context, uintptr_t low, uintptr_t high, bool stack) {
    uintptr_t start = (uintptr_t)environ;
    (void)context;
    if (stack) {
        add(start - low < high - low ? start : high, high);
    }
    return true;
}

void libraries_memory_open(void) {
    bool first = true;
    known.count = 0;
    known.others = false;
    dl_iterate_phdr(visit, &first);
    add_variables();
    maps_visit(add_environment, NULL);
}

bool libraries_memory_writable(uintptr_t address, size_t size) {
    for (uint32_t i = 0; i < known.count; i++) {
        const memory_range *r = &known.ranges[i];
        DEBUG_CHECK(r->low <= r->high);
        if (address - r->low < r->high - r->low && size <= r->high - address) {
            return true;
        }
    }
    return known.others;
}
