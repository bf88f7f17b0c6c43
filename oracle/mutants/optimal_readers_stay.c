/* A writer that several readers keep from continuing is reversed with none of them. */
#define MUTANT(name) optimal_readers_stay_##name
#include "dpor/open_sections.h"
#include "oracle/mutants/search.h"

BROKEN bool leave_out_nothing(reversal *r, uint32_t object) {
    (void)r, (void)object;
    return false;
}

#define open_sections_leave_out leave_out_nothing
#define strategy_optimal        mutant_optimal_readers_stay
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
