/* A step of an execution: the thread, and which of its alternatives it takes. */
#ifndef HEDDLE_EXPLORE_STEP_H
#define HEDDLE_EXPLORE_STEP_H

#include <stdint.h>

typedef struct step {
    uint32_t thread;
    uint32_t choice; /* CHOICE_NONE if it has no alternatives */
} step;

#endif
