/* Sequences are covered by steps that are merely independent of them, as with wakeup trees. */
#define MUTANT(name) context_source_weak_initials_##name
#include "oracle/mutants/search.h"

BROKEN enum initial weak_initial(reversal *r, uint32_t thread, uint32_t choice, footprint f) {
    return reversal_initial(r, thread, choice, f) == INITIAL_NOT ? INITIAL_NOT : INITIAL_INSIDE;
}

#include "dpor/context/normal_form.c"
#include "dpor/context/normal_form_parts.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
#define reversal_initial        weak_initial
#define strategy_context_source mutant_context_source_weak_initials
#include "dpor/context/context_source.c"
