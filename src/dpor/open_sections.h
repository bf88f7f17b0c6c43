/* Read-write locks under optimal-DPOR: readers are independent of each other, so several of them
 * can block one writer, and reversing its race with only one of them does not let it continue. The
 * reversal then leaves out the sections of the other readers: everything in notdep(e,E) that
 * happens after an acquisition of the lock that is not released there. */
#ifndef HEDDLE_DPOR_OPEN_SECTIONS_H
#define HEDDLE_DPOR_OPEN_SECTIONS_H

#include "dpor/reversal.h"

/* False: an open section was begun in E', so it cannot be left out. */
bool open_sections_leave_out(reversal *, uint32_t object);

#endif
