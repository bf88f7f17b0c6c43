/* A timed waiter that was woken is not considered to have timed out. */
#include "oracle/mutants/pop.h"

#define reverse_waking(p, thread, relock, waker, from) PICK_##from(p, thread, relock, waker, from)
#define PICK_from(p, thread, relock, waker, from)      ((void)(from))
#define PICK_uint32_t                                  __attribute__((unused))
#define strategy_pop                                   mutant_pop_timeouts_ignored
#include "dpor/pop/pop.c"
