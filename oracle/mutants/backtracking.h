/* For mutants of the strategies that are made with backtracking.c: it is copied into the mutant
 * under the names that the mutant's macro MUTANT gives. The other headers come first, so that the
 * mutant's own macros, defined after this, do not touch them. */
#include "dpor/race.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "oracle/mutants/broken.h"

#define backtracking_init      MUTANT(backtracking_init)
#define backtracking_free      MUTANT(backtracking_free)
#define backtracking_cover     MUTANT(backtracking_cover)
#define backtracking_choose    MUTANT(backtracking_choose)
#define backtracking_stepped   MUTANT(backtracking_stepped)
#define backtracking_ended     MUTANT(backtracking_ended)
#define backtracking_backtrack MUTANT(backtracking_backtrack)
#define source_cover           MUTANT(source_cover)

#include "dpor/backtracking.h"
