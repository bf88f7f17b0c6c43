/* The sending end of a stream of messages, in a process that the program under test may damage.
 *
 * Its descriptor has a number that programs do not use, and a message is sent only if that is still
 * the pipe that the supervisor made and this is still the process that the supervisor started: a
 * program may have closed it, put a file in its place, or forked. */
#ifndef HEDDLE_SUPERVISE_CHANNEL_H
#define HEDDLE_SUPERVISE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervise/message.h"

typedef struct kept_message {
    enum message_type type;
    bytes content;
} kept_message;

typedef struct channel {
    int descriptor;
    pid_t process;
    dev_t device;
    ino_t inode;
    uint32_t sequence;
    int commands; /* a socket, from which messages of the supervisor are read; or -1 */
    dev_t command_device;
    ino_t command_inode;
    inbox inbox;
    VECTOR(kept_message) kept; /* messages that came before the one that was awaited */
    bytes content;             /* the content of the last one of these */
} channel;

/* Takes the descriptors over and moves them. `commands` may be -1. */
void channel_open(channel *, int descriptor, int commands, pid_t supervisor);

/* If a message cannot be sent, the process ends with CHANNEL_LOST: its work has become useless. */
void channel_send(channel *, enum message_type, const bytes *content);
void channel_send_text(channel *, enum message_type, const char *string);

/* The next message of the supervisor; waits for it if `waits`; false: there is none. The content is
 * valid until the next call. */
bool channel_receive(channel *, bool waits, enum message_type *, byte_reader *content);

/* Waits for the next message of that type. Other messages that come before it are kept for
 * channel_receive. */
void channel_await(channel *, enum message_type, byte_reader *content);

enum { CHANNEL_LOST = 71 }; /* exit status */

#endif
