#include "targets/runtime/kernel/streak.h"

#include "targets/runtime/kernel/undo.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/histories.h"

/* A streak begins with little; where it does not continue, it is given up for the rest of the
 * stretch. */
enum {
    LEAST_ROOM = 16,
    FIRST_ROOM = 64,
    MOST_ROOM = 1024,
    LARGEST_STRIDE = 64,
    LEAST_ACCESSES = 4
};

access_streak streaks[2][STREAKS];

static uintptr_t granules_down(uintptr_t address) {
    return address & ~(uintptr_t)(GRANULE_SIZE - 1);
}

/* From the start of a granule on, where the objects that are live end; no further than `high`. */
static uintptr_t live_until(uintptr_t at, uintptr_t high) {
    const uint64_t all_region = 0x0808080808080808, all_globals = 0;
    bool global = at - space.globals_low < space.globals_size;
    const uint8_t *extents = global ? space.globals_lacks + ((at - space.globals_low) >> 3)
                                    : space.region_extents + ((at - space.region_low) >> 3);
    CHECK(at % GRANULE_SIZE == 0 && space_contains(at));
    uint64_t eight = 0, all = global ? all_globals : all_region;
    for (; at + 8 * GRANULE_SIZE <= high; at += 8 * GRANULE_SIZE, extents += 8) {
        memcpy(&eight, extents, sizeof eight);
        if (eight != all) {
            break;
        }
    }
    for (; at < high && *extents == (uint8_t)all; at += GRANULE_SIZE) {
        extents++;
    }
    return at;
}

/* Up to which granule the words have the history; no further than `high`. */
static uintptr_t alike_until(const uint32_t *words, uint64_t history_twice, uintptr_t at,
                             uintptr_t high) {
    for (uint64_t two; at < high; at += GRANULE_SIZE, words += 2) {
        memcpy(&two, words, sizeof two);
        if (two != history_twice) {
            break;
        }
    }
    return at;
}

/* What of these bytes lies in the program's globals or in its heaps, from the first on. */
static uintptr_t usual_until(uintptr_t low, uintptr_t high) {
    uintptr_t end = 0;
    if (low - space.globals_low < space.globals_size) {
        end = granules_down(space.globals_low + space.globals_size);
    } else if (low - space.heaps_low < space.region_low + space.region_size - space.heaps_low) {
        end = space.region_low + space.region_size;
    }
    DEBUG_CHECK(!end || end >= low); /* of the last granule, a part may be missing */
    return end < high ? end : high;
}

/* The access after which the streak may continue; false: it does not, or never does for long. */
static bool note(access_streak *s, uintptr_t address, const void *place) {
    uintptr_t distance = address - s->last;
    bool follows = s->place == place && s->stretch == runtime.stretch &&
                   distance - 1 < LARGEST_STRIDE + s->size;
    if (!follows) {
        s->place = place; /* the rest counts only while its size is not 0 */
        s->stretch = runtime.stretch;
        s->room = FIRST_ROOM;
    } else if (!s->size) {
        s->stride = distance;
    }
    s->last = address;
    s->size = 0;
    return follows && s->room >= LEAST_ROOM;
}

static uint64_t twice(uint32_t word) {
    return word | (uint64_t)word << 32;
}

void streak_follow(uintptr_t address, size_t size, uint8_t mode, const void *place,
                   const history_step *alike, uintptr_t high) {
    access_streak *s = streak_of(place, mode);
    DEBUG_CHECK(address % size == 0 && !(alike->before & RACE_OWNED));
    uintptr_t low = granules_down(address + size + GRANULE_SIZE - 1);
    if (!note(s, address, place)) {
        return;
    }
    uintptr_t most = usual_until(low, low + s->room);
    if (most <= low) {
        return;
    }
    uint32_t *words = space_history(low);
    bool noted = race_words_are_noted(alike->before);
    uintptr_t end = high ? granules_down(high) : live_until(low, most);
    end = end < most ? end : most;
    end = noted ? end : alike_until(words, twice(alike->before), low, end);
    if (end < low + LEAST_ACCESSES * s->stride) {
        s->room /= 2;
        return;
    }
    CHECK(s->stride && end <= most);
    if (!noted) {
        race_note_words(words, (uint32_t)(end - low) / HALF_SIZE);
    }
    if (mode != ACCESS_READ && undo.unit) {
        undo_log_bytes(low, end - low);
    }
    CHECK(end % GRANULE_SIZE == 0 && end - low <= MOST_ROOM);
    CHECK(s->stretch == runtime.stretch); /* logging does not end it */
    s->low = low;
    s->size = end - low;
    s->words = words;
    s->was = twice(alike->before);
    s->is = twice(alike->after);
    s->is_short = s->room < MOST_ROOM;
    s->room = s->room < MOST_ROOM ? 2 * s->room : MOST_ROOM;
}
