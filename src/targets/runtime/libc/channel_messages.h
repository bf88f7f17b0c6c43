/* Channels whose bytes come in messages: message queues, and sockets that keep what was sent in one
 * piece. In the queue of such a channel (channels.h) each message has a head with its size and
 * priority; the oldest of those with the highest priority is taken first. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_CHANNEL_MESSAGES_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_CHANNEL_MESSAGES_H

#include <sys/types.h>

#include "targets/runtime/libc/channels.h"

/* The longest that can be sent. */
enum { CHANNEL_MESSAGE_SIZE = 8192 };

bool channel_messages_fit(const channel *c, size_t size);

/* Parts of a step that has logged the channel. The result of the call; -1 with errno. */
ssize_t channel_messages_put(channel *c, unsigned char *queue, const void *data, size_t size,
                             unsigned priority, const void *return_address);
ssize_t channel_messages_take(channel *c, unsigned char *queue, void *place, size_t size,
                              unsigned *priority, const void *return_address);

#endif
