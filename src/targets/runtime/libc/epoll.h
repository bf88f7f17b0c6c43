/* epoll: a channel (channels.h) that represents its interest list. Waiting for it is a poll of all
 * files in the set. A change of the set happens before what is found by it. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_EPOLL_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_EPOLL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/footprint.h"

struct open_file;

/* Of a wait: whether it need not wait at that time, and its footprint, added to a list of accesses.
 */
bool epoll_is_ready(int descriptor, uint64_t now);
uint64_t epoll_next_timer(int descriptor); /* or DEADLINE_NONE */
uint32_t epoll_add_accesses(int descriptor, memory_access *accesses, uint32_t count);

/* The accesses of a step that takes a file, or none, from the epolls that watch it. At most
 * FILES_MAX. */
uint32_t epoll_add_watchers(const struct open_file *file, memory_access *accesses, uint32_t count);

/* The file is closed, within a step on all files: no epoll watches it, and if it is one it watches
 * nothing. */
void epoll_forget(const struct open_file *file);

#endif
