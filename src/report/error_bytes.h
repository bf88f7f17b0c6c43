/* Errors that were found, as bytes for other processes: what is needed to replay an error, and a
 * key: two errors have the same key if they are the same error (collector.h). Keys can be compared
 * without the program. */
#ifndef HEDDLE_REPORT_ERROR_BYTES_H
#define HEDDLE_REPORT_ERROR_BYTES_H

#include "base/bytes.h"
#include "report/collector.h"

void error_encode_key(const found_error *, target *, bytes *out);
void error_encode(const found_error *, target *, bytes *out);

/* False: reading has failed, and there is no error. */
bool error_decode(found_error *, target *, byte_reader *);

#endif
