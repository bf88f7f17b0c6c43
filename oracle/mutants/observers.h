/* For mutants of observers.c: as pop.h. */
#include "core/observed.h"
#include "core/remembered.h"
#include "core/watch.h"
#include "explore/comparison.h"
#include "explore/exploration.h"
#include "oracle/mutants/broken.h"
