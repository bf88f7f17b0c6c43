/* For mutants of observers: observed_search.c and observed_races.c are copied into the mutant under
 * the names that the mutant's macro MUTANT gives; search.c is the real one. */
#include "dpor/observed.h"
#include "dpor/search.h"
#include "dpor/watch.h"
#include "explore/exploration.h"
#include "oracle/mutants/broken.h"

#define observed_search_init        MUTANT(observed_search_init)
#define observed_search_free        MUTANT(observed_search_free)
#define observed_search_ended       MUTANT(observed_search_ended)
#define observed_search_descend     MUTANT(observed_search_descend)
#define observed_search_ascend      MUTANT(observed_search_ascend)
#define observed_search_is_covered  MUTANT(observed_search_is_covered)
#define observed_search_is_unsuited MUTANT(observed_search_is_unsuited)
#define observed_search_start       MUTANT(observed_search_start)
#define observed_search_open        MUTANT(observed_search_open)
#define observed_search_conflict    MUTANT(observed_search_conflict)
#define observed_search_consider    MUTANT(observed_search_consider)
#define observed_search_plan_notdep MUTANT(observed_search_plan_notdep)
#define observed_search_try         MUTANT(observed_search_try)
#define observed_search_try_last    MUTANT(observed_search_try_last)
#define observed_search_insert      MUTANT(observed_search_insert)

#include "dpor/observers/observed_search.h"
