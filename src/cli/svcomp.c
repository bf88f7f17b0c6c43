#include "cli/svcomp.h"

#define KIND(kind) (1u << (kind))

/* Errors about what heddle cannot do are never ignored. */
#define ALWAYS (KIND(ERROR_UNSUPPORTED) | KIND(ERROR_UNFINISHED))

_Static_assert(ERROR_KIND_COUNT <= 32, "a set of kinds is a number of 32 bits");

uint32_t svcomp_ignored(const settings *s) {
    switch (s->svcomp) {
        case SVCOMP_OFF: return 0;
        case SVCOMP_UNREACH_CALL: return ~(ALWAYS | KIND(ERROR_ASSERTION));
        case SVCOMP_NO_DATA_RACE: return ~(ALWAYS | KIND(ERROR_DATA_RACE));
        case SVCOMP_NO_DEADLOCK: return ~(ALWAYS | KIND(ERROR_DEADLOCK) | KIND(ERROR_LIVELOCK));
        case SVCOMP_VALID_MEMSAFETY:
            return ~(ALWAYS | KIND(ERROR_CRASH) | KIND(ERROR_USE_AFTER_FREE) |
                     KIND(ERROR_DOUBLE_FREE) | KIND(ERROR_INVALID_FREE) | KIND(ERROR_OVERFLOW) |
                     KIND(ERROR_LEAK));
    }
    return 0;
}

bool svcomp_goes_on(enum error_kind kind) {
    const uint32_t kinds = KIND(ERROR_USE_AFTER_FREE) | KIND(ERROR_DOUBLE_FREE) |
                           KIND(ERROR_INVALID_FREE) | KIND(ERROR_OVERFLOW) |
                           KIND(ERROR_UNINITIALISED) | KIND(ERROR_MISUSE);
    return (kinds & KIND(kind)) != 0;
}
