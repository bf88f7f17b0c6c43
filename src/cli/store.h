/* Work that is left, as bytes: in memory as long as that is little, otherwise in a file, so that
 * the memory of the process that keeps it has a ceiling.
 *
 * The file has no name and goes with the process, whatever ends it. It lies beside the checkpoint,
 * if there is one, or else in $TMPDIR or /var/tmp, and not in /tmp, which is often memory itself. A
 * block is written at the end of the file; the space of those that were freed is given back to the
 * system. Rejected: giving work back to the worker in smaller pieces, which would have to ask for
 * each of them; memory mapped from a file, which counts as memory of the process wherever that is
 * limited. */
#ifndef HEDDLE_CLI_STORE_H
#define HEDDLE_CLI_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text.h"

/* Begins as zeroes: no bytes. */
typedef struct stored {
    bytes content;  /* if it is in memory */
    uint64_t place; /* in the file, plus 1; 0: it is in memory */
    uint32_t size;
} stored;

/* So much is kept in memory, and no more than this part of the memory limit. The environment
 * variable HEDDLE_STORE_BYTES says otherwise, for tests. */
enum { STORE_MOST = 1 << 26, STORE_PART = 16 };

/* The file is to be beside the one at this path, if that is not NULL; 0: there is no memory limit.
 */
void store_open(const char *path, uint64_t memory_limit);

/* The file is gone, and nothing may be in it. */
void store_close(void);

/* Takes the place of what was there. The bytes are taken over. */
void stored_put(stored *, bytes *);
void stored_free(stored *);

/* Appends them. False: they cannot be read. */
bool stored_get(const stored *, bytes *);

/* Why something could not be written, in which case it stays in memory, or be read; NULL: nothing
 * was wrong so far. */
const char *store_complaint(void);

#endif
