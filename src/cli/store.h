/* Work that is left, as bytes: in memory as long as it is small, otherwise in a file, so that the
 * memory of the process that keeps it is bounded.
 *
 * The file has no name and disappears with the process, however that ends. It is in the directory
 * of the checkpoint, if there is one, or else in $TMPDIR or /var/tmp, and not in /tmp, which is
 * often in memory. A block is written at the end of the file; the space of freed blocks is returned
 * to the system. Rejected: sending work to the worker in smaller pieces, which it would have to
 * request one by one; memory mapped from a file, which counts as memory of the process wherever
 * that is limited. */
#ifndef HEDDLE_CLI_STORE_H
#define HEDDLE_CLI_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/text.h"

/* Begins as zeroes: no bytes. */
typedef struct stored {
    bytes content;  /* if it is in memory */
    uint64_t place; /* in the file, plus 1; 0: it is in memory */
    uint32_t size;
} stored;

/* The most that is kept in memory, and the largest fraction of the memory limit. The environment
 * variable HEDDLE_STORE_BYTES overrides it, for tests. */
enum { STORE_MOST = 1 << 26, STORE_PART = MEMORY_PART_ELSEWHERE };

/* The file will be in the directory of this path, if that is not NULL; 0: there is no memory
 * limit. */
void store_open(const char *path, uint64_t memory_limit);

/* Removes the file, which must be unused. */
void store_close(void);

/* Replaces the block by these bytes, and takes them over. */
void stored_put(stored *, bytes *);
void stored_free(stored *);

/* Appends them. False: they cannot be read. */
bool stored_get(const stored *, bytes *);

/* Why something could not be read, or could not be written, in which case it stays in memory; NULL:
 * no error so far. */
const char *store_complaint(void);

#endif
