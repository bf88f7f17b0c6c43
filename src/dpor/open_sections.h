/* Read-write locks under optimal-DPOR: readers are independent of each other, so several of them
 * can stand in the way of one writer, and reversing its race with one of them alone does not let it
 * continue. What is reversed then comes without the sections of the others: of notdep(e,E)
 * everything is left out that happens after an acquisition of the lock that is not released
 * there. */
#ifndef HEDDLE_DPOR_OPEN_SECTIONS_H
#define HEDDLE_DPOR_OPEN_SECTIONS_H

#include "dpor/reversal.h"

/* False: a section that is open was begun in E', and stays. */
bool open_sections_leave_out(reversal *, uint32_t object);

#endif
