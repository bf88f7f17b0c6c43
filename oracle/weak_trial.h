/* The trial of a strategy that explores execution graphs: under every memory model, each graph that
 * the axioms allow must be executed exactly once, and nothing else. */
#ifndef HEDDLE_ORACLE_WEAK_TRIAL_H
#define HEDDLE_ORACLE_WEAK_TRIAL_H

#include "oracle/differ.h"
#include "targets/abstract/program.h"

/* Up to the first difference. Programs that the judge does not know, or that are too large for it,
 * are not tested. */
void weak_try(const program *, const defendant *, differ_result *);

#endif
