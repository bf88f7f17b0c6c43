/* For mutants of the strategies that are made with search.c: it is copied into the mutant under the
 * names that the mutant's macro MUTANT gives. The other headers come first, so that the mutant's
 * own macros, defined behind this, do not touch them. */
#include "core/preference.h"
#include "core/race.h"
#include "core/reversal.h"
#include "core/sleep.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "explore/blocked.h"
#include "explore/comparison.h"
#include "oracle/mutants/broken.h"

#define search_init         MUTANT(search_init)
#define search_free         MUTANT(search_free)
#define search_choose       MUTANT(search_choose)
#define search_stepped      MUTANT(search_stepped)
#define search_ended        MUTANT(search_ended)
#define search_backtrack    MUTANT(search_backtrack)
#define search_is_redundant MUTANT(search_is_redundant)
#define search_insert       MUTANT(search_insert)

#include "strategies/search.h"
