/* After the death of the process that ran the program: what its memory, which it shared, shows. */
#include "base/witness.h"
#include "targets/native/native.h"
#include "targets/native/symbolize.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/threads.h"

uint64_t native_steps_of(const void *witness) {
    return ((const runtime_state *)witness_find(witness, &runtime))->steps;
}

bool native_name_of(const void *witness, uint32_t thread, char *name, size_t size) {
    return threads_name_of(witness, thread, name, size);
}

/* Nothing here can be trusted: the process that wrote it may have been corrupted. */
bool native_last_place(const char *path, char *thread, size_t size, const char **file,
                       uint32_t *line) {
    uintptr_t offset = (uintptr_t)runtime.current - (uintptr_t)runtime.threads;
    uint32_t number = (uint32_t)(offset / sizeof(runtime_thread));
    if (!runtime.current || offset >= RUNTIME_MAX_THREADS * sizeof(runtime_thread) ||
        !threads_name(number, thread, size)) {
        return false;
    }
    uint32_t location = threads_location(number);
    uint32_t most = sizeof location_witness.addresses / sizeof *location_witness.addresses;
    symbolizer *s = symbolizer_open(path, 0);
    *file = NULL;
    if (location && location < most) {
        uintptr_t address = location_witness.addresses[location] - location_witness.base;
        if (!symbolizer_line(s, address, file, line)) {
            *file = NULL;
        }
    }
    return true;
}
