/* The messages of the oracle's machine; only machine.c includes this. */
#ifndef HEDDLE_ORACLE_MACHINE_MAIL_H
#define HEDDLE_ORACLE_MACHINE_MAIL_H

#include "oracle/machine.h"

/* Some pattern of the thread has more tags than the machine can hold. */
bool machine_pattern_is_long(const model_thread *);

/* The pattern of a receive; false: a tag has no value. */
bool machine_find_pattern(const machine *, uint32_t thread, const instruction *,
                          machine_pattern *result);

/* The earliest message that the thread would take now, or MACHINE_NONE. */
uint32_t machine_find_message(const machine *, uint32_t thread, const machine_pattern *);

/* What a send, whose receiver and tag are in the event, puts into the mailbox. */
void machine_put_message(machine *, const machine_event *, int64_t value);

/* What a receive does with the message that it takes. */
void machine_take_message(machine *, machine_event *, const instruction *, machine_message *);

#endif
