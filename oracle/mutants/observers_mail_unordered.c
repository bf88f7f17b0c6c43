/* Sends to one mailbox are never reversed. */
#include "oracle/mutants/observers.h"

BROKEN bool never_ordered(const observed_order *o, const execution *e, uint32_t a, uint32_t b) {
    (void)o, (void)e, (void)a, (void)b;
    return false;
}

#define observed_mail_ordered      never_ordered
#define strategy_observers         mutant_observers_mail_unordered
#define strategy_context_observers mutant_context_observers_mail_unordered
#include "strategies/observers.c"
