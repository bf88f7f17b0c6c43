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

/* A send and a receive. False, and nothing done, if an operand is in error. */
bool machine_send(machine *, machine_event *, const instruction *);
bool machine_receive(machine *, machine_event *, const instruction *);

#endif
