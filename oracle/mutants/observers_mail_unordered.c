/* Sends to one mailbox are never reversed. */
#define MUTANT(name) observers_mail_unordered_##name
#include "oracle/mutants/observers.h"

BROKEN bool never_ordered(const observed_order *o, const execution *e, uint32_t a, uint32_t b) {
    (void)o, (void)e, (void)a, (void)b;
    return false;
}

#define observed_mail_ordered never_ordered
#define strategy_observers    mutant_observers_mail_unordered
#include "dpor/observers/observed_races.c"
#include "dpor/observers/observed_search.c"
#include "dpor/observers/observers.c"
