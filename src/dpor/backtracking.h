/* Depth-first search with backtrack sets: at every prefix a set of threads that are to be explored
 * from there, and, if wanted, a sleep set. A strategy says what a race adds, or that every enabled
 * thread is explored. */
#ifndef HEDDLE_DPOR_BACKTRACKING_H
#define HEDDLE_DPOR_BACKTRACKING_H

#include "dpor/race.h"
#include "dpor/reversal.h"
#include "dpor/sleep.h"
#include "explore/exploration.h"

typedef struct backtrack_node {
    VECTOR(uint32_t) threads; /* backtrack(E), in the order of their addition */
    uint32_t current;         /* the one being explored */
    VECTOR(uint32_t) choices; /* its alternatives */
    uint32_t current_choice;
} backtrack_node;

typedef struct backtracking backtracking;

/* Acts on a race: makes sure that backtrack(E') covers v, where both are in `reversal`. If the
 * last step of v is not `feasible`, what comes before it is still to be tried. */
typedef void race_action(backtracking *, bool feasible);

struct backtracking {
    strategy base;
    race_action *on_race; /* NULL: every enabled thread is explored */
    bool sleeps;          /* what was explored sleeps */
    bool unlocks_race;    /* an acquisition races with the release before it, too */
    sleep_stack sleep;
    VECTOR(backtrack_node) nodes; /* by length of the prefix; those beyond `depth` are unused */
    uint32_t depth;               /* prefixes that have a node */
    reversal reversal;
    position_list races;
    kept_operation kept;
};

/* What was explored sleeps if there is something to be done about races. */
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

/* Whether v is covered by that initial of it, if backtrack(E') contains it. */
enum cover {
    COVER_NOT,
    COVER_POSSIBLE,
    COVER_DONE, /* v is covered already */
};
typedef enum cover cover_test(backtracking *, uint32_t thread, uint32_t choice);

/* JACM 2017, Algorithm 1, lines 8-9: if backtrack(E') does not cover v, it gets an initial of v
 * that does. */
void backtracking_cover(backtracking *, bool feasible, cover_test *);

/* Source sets: some initial of v is in backtrack(E') or sleeps there. */
race_action source_cover;

#endif
