/* The race detector of abstract programs, for mutants that replace one of its functions. */
#ifndef HEDDLE_ORACLE_MUTANTS_RACES_H
#define HEDDLE_ORACLE_MUTANTS_RACES_H

#define model_race_size   MUTANT(model_race_size)
#define interpreter_races MUTANT(interpreter_races)
#include "targets/abstract/interpreter_race.c"

#define RACES_WITH(releases, passes, acts)                                                     \
    {                                                                                          \
        .start = start_thread, .spawn = spawn_thread, .join = join_thread, .acquire = acquire, \
        .release = (releases), .plain = (passes), .atomic = (acts), .version = access_version, \
        .fence = fence                                                                         \
    }

#endif
