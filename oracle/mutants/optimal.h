/* For mutants of optimal.c: everything that it includes, so that the macros of a mutant, defined
 * behind this, do not touch headers. */
#include "core/reversal.h"
#include "core/sleep.h"
#include "core/wakeup.h"
#include "explore/exploration.h"
#include "oracle/mutants/broken.h"
