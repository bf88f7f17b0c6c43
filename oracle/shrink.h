/* Makes a failing program small: threads, operations, blocks, guards and values are taken away as
 * long as the same strategy still shows the same kind of difference under some policy. Each
 * attempt runs in a sandbox, so that crashes shrink like everything else. */
#ifndef HEDDLE_ORACLE_SHRINK_H
#define HEDDLE_ORACLE_SHRINK_H

#include "oracle/differ.h"
#include "oracle/sketch.h"

/* Shrinks in place; `found` becomes the difference of the shrunk program. A program without errors
 * of its own stays one unless `errors`: else every missing lock would end as a misused one. */
void shrink_sketch(sketch *, const defendant *, bool errors, difference *found);

/* As differ_test with that many policies, but in a sandbox: a crash or a hang is a difference. */
void shrink_test(const defendant *, const char *text, uint32_t policies, uint32_t seconds,
                 differ_result *);

#endif
