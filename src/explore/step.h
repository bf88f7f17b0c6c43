/* A step of an execution, by whom and with which of its alternatives. */
#ifndef HEDDLE_EXPLORE_STEP_H
#define HEDDLE_EXPLORE_STEP_H

#include <stdint.h>

typedef struct step {
    uint32_t thread;
    uint32_t choice; /* CHOICE_NONE if it has no alternatives */
} step;

#endif
