/* Switches of the linker that hold for the libraries after them on the command line, such as
 * -Wl,--whole-archive. heddle puts files before flags, so it has to know which hold for which. */
#ifndef HEDDLE_TARGETS_NATIVE_LINK_STATE_H
#define HEDDLE_TARGETS_NATIVE_LINK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { LINK_STATES = 8 };

typedef struct link_switches {
    bool whole;    /* every member of an archive is linked */
    bool archives; /* -lNAME means an archive, not a shared library */
} link_switches;

typedef struct link_state {
    link_switches now, saved[LINK_STATES];
    uint32_t depth; /* --push-state */
} link_state;

/* A word of the command line. */
void link_state_follow(link_state *, const char *word);

/* Adds the word, in parts if it has archives in it: "-Wl,--whole-archive,libone.a". */
void link_state_split(text_list *words, const char *word);

#endif
