/* Algorithm 1, line 8, as printed: the wakeup sequence of an observed race has no observer. */
#include "oracle/mutants/observers.h"

/* The definition (`uint32_t position`) stays as an unused function; the call plans nothing. */
#define plan_observer(o, position) PICK_##position)
#define PICK_o                     (true || o
#define PICK_uint32_t              __attribute__((unused)) unplanned(observers *o, uint32_t
#define strategy_observers         mutant_observers_literal_line_8
#define strategy_context_observers mutant_context_observers_literal_line_8
#include "strategies/observers.c"
