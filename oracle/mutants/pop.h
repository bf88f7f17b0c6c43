/* For mutants of pop.c: as search.h. A static function of the source is replaced by a macro whose
 * last argument distinguishes the definition (`uint32_t first`) from the calls (`first`): the
 * definition becomes an unused function called `first`. */
#include "dpor/race.h"
#include "dpor/sleep_tree.h"
#include "explore/exploration.h"
#include "oracle/mutants/broken.h"
