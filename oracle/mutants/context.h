/* For mutants of the strategies that compare states: everything that they include, as optimal.h. */
#include "core/dontdo.h"
#include "core/remembered.h"
#include "core/sleep.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "explore/blocked.h"
#include "explore/comparison.h"
#include "oracle/mutants/broken.h"
