/* Spin loops of abstract programs, for mutants that replace one of the functions of the rule. */
#ifndef HEDDLE_ORACLE_MUTANTS_SPINS_H
#define HEDDLE_ORACLE_MUTANTS_SPINS_H

#define model_note_start  MUTANT(model_note_start)
#define model_note_write  MUTANT(model_note_write)
#define model_may_spin    MUTANT(model_may_spin)
#define model_waits       MUTANT(model_waits)
#define interpreter_spins MUTANT(interpreter_spins)
#include "targets/abstract/interpreter_spin.c"

#endif
