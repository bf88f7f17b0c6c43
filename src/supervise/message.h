/* Messages between a supervisor and the processes that work for it.
 *
 * Every message is framed with what it is (type), who sends it (process), which one it is
 * (sequence), how long it is, and a checksum over all of that and the content. The receiver checks
 * the frame before it looks at the content, and the content byte by byte (base/bytes.h). If one
 * message of a stream is wrong, nothing that follows can be trusted.
 *
 * Nothing in a message refers to memory of the sender, so it does not matter whether the other end
 * is a process on this machine or on another (wire.h). */
#ifndef HEDDLE_SUPERVISE_MESSAGE_H
#define HEDDLE_SUPERVISE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text.h"

/*    type              content */
#define MESSAGES(X)                                                                          \
    X(MESSAGE_BUILT, "where the program is")                                                 \
    X(MESSAGE_DIAGNOSTIC, "a line that a compiler has printed")                              \
    X(MESSAGE_FAILURE, "a message for the user: it could not be done")                       \
    X(MESSAGE_NOTICED, "a bare finding, as soon as the error has occurred")                  \
    X(MESSAGE_VOID, "nothing: the exploration starts over, what was noticed does not count") \
    X(MESSAGE_FINDING, "a finding")                                                          \
    X(MESSAGE_OUTCOME, "an outcome, after its findings")                                     \
    X(MESSAGE_STRETCH, "what was done of a stretch, and the work that is left")              \
    X(MESSAGE_ALONE, "why there is no work for others")                                      \
    X(MESSAGE_MEMORY, "how much memory a process used that does not report")                 \
    X(MESSAGE_ITEM, "the steps of the work that is done next")                               \
    X(MESSAGE_FORECAST, "how much is left of the work; to a worker: a request")              \
    X(MESSAGE_SHARE, "to a worker: whether others want work")                                \
    X(MESSAGE_WORK, "to a worker: work")                                                     \
    X(MESSAGE_REPORT, "to a worker: what all have found, to be reported")                    \
    X(MESSAGE_QUIT, "to a worker: nothing; all is done")                                     \
    X(MESSAGE_NUMBER, "the number of a thread that a worker wants; its answer")              \
    X(MESSAGE_START, "to another heddle: the work of a process there (wire.h)")              \
    X(MESSAGE_INTERRUPT, "to another heddle: its process is to stop early")                  \
    X(MESSAGE_STATUS, "of the process of another heddle: its status page")                   \
    X(MESSAGE_ENDED, "of the process of another heddle: how it ended")                       \
    X(MESSAGE_REPLAYED, "where a replay diverged, if it did; after its finding")             \
    X(MESSAGE_PLACE, "where a process was when it ended")                                    \
    X(MESSAGE_END, "nothing: all has been sent, and the sender's state passed its checks")

#define MESSAGE_ENUM(type, content) type,
enum message_type { MESSAGES(MESSAGE_ENUM) MESSAGE_TYPE_COUNT };
#undef MESSAGE_ENUM

typedef struct frame {
    uint32_t magic;
    uint32_t type;
    uint32_t process;
    uint32_t sequence;
    uint64_t size; /* of the content */
    uint64_t checksum;
} frame;

enum { FRAME_MAGIC = 0x6864646c };

/* The largest size of a content. */
#define MESSAGE_MOST_BYTES ((uint64_t)1 << 30)

/* The frame of a content. */
frame frame_make(enum message_type, uint32_t process, uint32_t sequence, const bytes *content);

/* What has been received so far of a stream of messages. */
typedef struct inbox {
    bytes bytes;
    uint32_t start;             /* where the bytes begin that have not been taken */
    uint32_t process, sequence; /* expected */
    bool broken;                /* something was wrong: no later message can be trusted */
    const char *complaint;
} inbox;

void inbox_free(inbox *);
void inbox_add(inbox *, const void *start, size_t size);

/* The next message; false if it is incomplete, or the stream is broken. The content is good until
 * the next call. */
bool inbox_take(inbox *, enum message_type *, byte_reader *content);

/* To be called if a content does not fit its type. */
void inbox_break(inbox *, const char *complaint);

/* There are bytes that are not a whole message. */
bool inbox_has_rest(const inbox *);

#endif
