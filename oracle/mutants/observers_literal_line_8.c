/* Algorithm 1, line 8, as printed: the wakeup sequence of an observed race has no observer. */
#define MUTANT(name) observers_literal_line_8_##name
#include "oracle/mutants/observers.h"

/* The definition (`uint32_t position`) stays as an unused function; the call plans nothing. */
#define plan_observer(o, position) PICK_##position)
#define PICK_reader                (true || reader
#define PICK_uint32_t              __attribute__((unused)) unplanned(observed_search *o, uint32_t
#define strategy_observers mutant_observers_literal_line_8
#include "dpor/observers/observed_races.c"
#include "dpor/observers/observed_search.c"
#include "dpor/observers/observers.c"
