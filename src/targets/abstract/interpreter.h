/* The target that runs abstract programs: one step is one visible instruction (or one atomic
 * section) and the local instructions after it.
 *
 * The whole state is one block of memory, so that saving, restoring and resetting are copies. */
#ifndef HEDDLE_TARGETS_ABSTRACT_INTERPRETER_H
#define HEDDLE_TARGETS_ABSTRACT_INTERPRETER_H

#include "explore/target.h"
#include "targets/abstract/program.h"

/* The program is borrowed: it must outlive the target. */
target *interpreter_create(const program *);

/* The plain access at this location is a step, because it races. */
bool interpreter_is_promoted(const target *, uint32_t location);

/* Before the first run: an access that is a step, as `describe_shared` of the target has named it.
 * False: there is none. */
bool interpreter_expect_shared(target *, const char *text);

/* With another race detector, or another notion of spin loops, for tests (interpreter_race.h,
 * interpreter_state.h). */
struct race_detector;
struct spin_rule;
target *interpreter_create_with(const program *, const struct race_detector *,
                                const struct spin_rule *);
extern const struct race_detector interpreter_races;
extern const struct spin_rule interpreter_spins;

#endif
