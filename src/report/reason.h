/* Explains a finding in sentences that follow from it: both accesses of a data race, the locks that
 * their threads held and the fact that nothing orders them; where a block was allocated and freed;
 * what every thread of a deadlock waits for; the step after which the error could not be
 * avoided. */
#ifndef HEDDLE_REPORT_REASON_H
#define HEDDLE_REPORT_REASON_H

#include "report/finding.h"

/* Appends sentence number `index`; false: there are no more. */
bool reason_sentence(const finding *, uint32_t index, text *out);

#endif
