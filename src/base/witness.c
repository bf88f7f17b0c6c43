#define _GNU_SOURCE
#include "base/witness.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/exit_status.h"

enum { MOST_VARIABLES = 16 };

static struct {
    char *start;
    size_t size, offset; /* in the shared memory */
} variables[MOST_VARIABLES];
static uint32_t variable_count;
static size_t total_size;

status_page own_status WITNESS;
WITNESS_ANNOUNCE(own_status)

void witness_announce(void *variable, size_t size) {
    CHECK(variable_count < MOST_VARIABLES);
    CHECK((uintptr_t)variable % WITNESS_PAGE == 0 && size % WITNESS_PAGE == 0);
    variables[variable_count].start = variable;
    variables[variable_count].size = size;
    variables[variable_count++].offset = total_size;
    total_size += size;
}

#define PHASE_WORDS(phase, words) [phase] = words,

const char *phase_words(enum phase phase) {
    static const char *const words[] = {PHASES(PHASE_WORDS)};
    return (unsigned)phase < PHASE_COUNT ? words[phase] : "in an unknown phase";
}

void *witness_create(void) {
    void *shared = mmap(NULL, total_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

void witness_destroy(void *shared) {
    munmap(shared, total_size);
}

/* The last line that a process prints is the reason for its end (cli/death.h). */
_Noreturn static void run_out(void) {
    static const char words[] =
        "heddle: the memory limit was reached: the system gives no more (see ulimit -v)\n";
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(EXIT_INCOMPLETE);
}

void witness_share(void *shared) {
    for (uint32_t i = 0; i < variable_count; i++) {
        char *from = (char *)shared + variables[i].offset, *here = variables[i].start;
        if (mremap(from, 0, variables[i].size, MREMAP_MAYMOVE | MREMAP_FIXED, here) != here) {
            run_out();
        }
        madvise(here, variables[i].size, MADV_DONTFORK);
    }
    munmap(shared, total_size);
}

void witness_clear(void *shared) {
    madvise(shared, total_size, MADV_REMOVE);
}

const void *witness_find(const void *shared, const void *variable) {
    for (uint32_t i = 0; i < variable_count; i++) {
        if (variables[i].start == variable) {
            return (const char *)shared + variables[i].offset;
        }
    }
    return variable;
}

const status_page *witness_status(const void *shared) {
    return witness_find(shared, &own_status);
}

/* The first is for shared memory, the second for a process that does not share it. */
void witness_zero(void *table, size_t size) {
    if (madvise(table, size, MADV_REMOVE) != 0) {
        CHECK(madvise(table, size, MADV_DONTNEED) == 0);
    }
}
