#include "targets/runtime/sync/section_writes.h"

#include <string.h>

#include "targets/runtime/memory/space.h"

enum { MOST_WRITTEN = 8 };

static struct {
    uintptr_t granules[MOST_WRITTEN];
    uint64_t before[MOST_WRITTEN];
    uint32_t count;
    bool more;
} written;

void section_writes_begin(void) {
    written.count = 0;
    written.more = false;
}

void section_writes_note(uintptr_t address, size_t size) {
    uintptr_t granule = address & ~(uintptr_t)(GRANULE_SIZE - 1);
    CHECK(written.count <= MOST_WRITTEN);
    written.more |= address + size > granule + GRANULE_SIZE || written.count == MOST_WRITTEN;
    if (!written.more) {
        memcpy(&written.before[written.count], (const void *)granule, GRANULE_SIZE);
        written.granules[written.count++] = granule;
    }
}

bool section_writes_change(void) {
    bool change = written.more;
    for (uint32_t i = 0; i < written.count; i++) {
        const void *now = (const void *)written.granules[i];
        change |= memcmp(&written.before[i], now, GRANULE_SIZE) != 0;
    }
    return change;
}
