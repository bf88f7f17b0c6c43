/* What an exploration says of one event, compared with what the oracle's machine did. */
#ifndef HEDDLE_ORACLE_RECORDER_EVENT_H
#define HEDDLE_ORACLE_RECORDER_EVENT_H

#include "oracle/recorder.h"

/* `owners` of mutexes before the event. */
void recorder_check_event(recorder *, uint32_t position, const event *reported,
                          const machine_event *done, const uint32_t *owners);

#endif
