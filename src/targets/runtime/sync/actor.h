/* <heddle/actor.h> under heddle's control: processes are threads, and each has a mailbox.
 *
 * A send is one step. It orders itself with all other sends to the same process. A receive that
 * waits without a limit is enabled iff a message matches, and the send of that message is its
 * cause; apart from that it depends on nothing. A receive with a time-out is always enabled, and
 * what it touches depends on whether a message is there: then on the send of that message, else on
 * all sends that it could have taken. (The rules are JACM 2017, section 10.) Footprints also show
 * what each receive would take, for strategies that order sends only if a receive distinguishes
 * them (dpor/messages.h). What a predicate would take they cannot show: sends to a process that
 * uses one are strict.
 *
 * A predicate is a function of the program. It is evaluated while its receive is pending, by
 * letting the fiber run it as an atomic section is tried: everything that it does is undone, and
 * what it touches beyond its own stack and the message is a misuse. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_ACTOR_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_ACTOR_H

#include <stdio.h>

#include "targets/runtime/kernel/runtime.h"

void actor_close(void);

/* Whether the thread receives with predicates; the second notes that it will. */
bool actor_is_strict(uint32_t thread);
void actor_expect_strict(uint32_t thread);

/* What reports call an object of message passing; false if it is none. */
bool actor_describe(uint32_t object, FILE *out);

#endif
