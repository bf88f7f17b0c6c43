/* Footprints as tests write them down. */
#ifndef HEDDLE_CORE_FOOTPRINTS_TEST_H
#define HEDDLE_CORE_FOOTPRINTS_TEST_H

#include "core/footprint.h"

static inline footprint reads(uint32_t object) {
    return footprint_single((memory_access){object, ACCESS_ALL_BYTES, ACCESS_READ});
}

static inline footprint writes(uint32_t object) {
    return footprint_single((memory_access){object, ACCESS_ALL_BYTES, ACCESS_WRITE});
}

#endif
