/* Depth-first search with backtrack sets: every prefix has a set of threads to explore from there,
 * and optionally a sleep set. A strategy defines what a race adds, or that every enabled thread is
 * explored. */
#ifndef HEDDLE_DPOR_BACKTRACKING_H
#define HEDDLE_DPOR_BACKTRACKING_H

#include "dpor/race.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "explore/exploration.h"

typedef struct backtrack_node {
    VECTOR(uint32_t) threads; /* backtrack(E), in insertion order */
    uint32_t current;         /* the one being explored */
    VECTOR(uint32_t) choices; /* its alternatives */
    uint32_t current_choice;
} backtrack_node;

typedef struct backtracking backtracking;

/* Handles a race: makes sure that backtrack(E') covers v, where both are in `reversal`. If the last
 * step of v is not `feasible`, the steps before it still have to be tried. */
typedef void race_action(backtracking *, bool feasible);

struct backtracking {
    strategy base;
    race_action *on_race; /* NULL: every enabled thread is explored */
    bool sleeps;          /* explored steps sleep */
    bool unlocks_race;    /* an acquisition races with the release before it, too */
    sleep_stack sleep;
    VECTOR(backtrack_node) nodes; /* by length of the prefix; those beyond `depth` are unused */
    uint32_t depth;               /* prefixes that have a node */
    reversal reversal;
    position_list races;
    kept_operation kept;
};

/* Explored steps sleep if the strategy handles races. */
void backtracking_init(backtracking *, race_action *);
void backtracking_free(strategy *);
enum decision backtracking_choose(strategy *, step *);
void backtracking_stepped(strategy *);
void backtracking_ended(strategy *, enum decision);
bool backtracking_backtrack(strategy *);

#define BACKTRACKING_STRATEGY                                                               \
    .size = sizeof(backtracking), .free = backtracking_free, .choose = backtracking_choose, \
    .stepped = backtracking_stepped, .ended = backtracking_ended,                           \
    .backtrack = backtracking_backtrack

/* Whether v is covered if backtrack(E') contains this initial of v. */
enum cover {
    COVER_NOT,
    COVER_POSSIBLE,
    COVER_DONE, /* v is covered already */
};
typedef enum cover cover_test(backtracking *, uint32_t thread, uint32_t choice);

/* JACM 2017, Algorithm 1, lines 8-9: if backtrack(E') does not cover v, an initial of v that does
 * is added to it. */
void backtracking_cover(backtracking *, bool feasible, cover_test *);

/* Source sets: some initial of v is in backtrack(E') or sleeps there. */
race_action source_cover;

#endif
