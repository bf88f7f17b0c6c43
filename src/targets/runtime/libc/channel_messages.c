#include "targets/runtime/libc/channel_messages.h"

#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

typedef struct message_head {
    uint32_t size, priority;
} message_head;

static message_head head_at(const unsigned char *queue, uint64_t place) {
    message_head head;
    memcpy(&head, queue + place, sizeof head);
    CHECK(head.size <= CHANNEL_MESSAGE_SIZE && place + sizeof head + head.size <= CHANNEL_SIZE);
    return head;
}

/* One that is too long fits everywhere: sending it fails at once. */
bool channel_messages_fit(const channel *c, size_t size) {
    CHECK(c->has_messages && c->value >= c->count * sizeof(message_head));
    if (c->is_queue) {
        return size > c->message_size || c->count < c->most_messages;
    }
    return channels_is_broken(c) || size > CHANNEL_MESSAGE_SIZE ||
           CHANNEL_SIZE - c->value >= sizeof(message_head) + size;
}

_Static_assert(CHANNEL_MESSAGE_SIZE == 8192 && CHANNEL_SIZE == 65536, "messages name them");

ssize_t channel_messages_put(channel *c, unsigned char *queue, const void *data, size_t size,
                             unsigned priority, const void *here) {
    message_head head = {(uint32_t)size, priority};
    if (c->is_queue && size > c->message_size) {
        return fail_with(EMSGSIZE);
    }
    if (size > CHANNEL_MESSAGE_SIZE) {
        heddle_unsupported("a message of more than 8192 bytes", here);
    }
    if (CHANNEL_SIZE - c->value < sizeof head + size) {
        heddle_unsupported("more than 65536 bytes in a message queue", here);
    }
    undo_write((uintptr_t)queue + c->value, sizeof head + size);
    memcpy(queue + c->value, &head, sizeof head);
    memcpy(queue + c->value + sizeof head, data, size);
    c->value += sizeof head + size;
    c->count++;
    CHECK(c->value <= CHANNEL_SIZE);
    return (ssize_t)size;
}

/* Where the next message begins. */
static uint64_t find_next(const channel *c, const unsigned char *queue) {
    uint64_t found = 0;
    for (uint64_t at = 0; at < c->value; at += sizeof(message_head) + head_at(queue, at).size) {
        if (head_at(queue, at).priority > head_at(queue, found).priority) {
            found = at;
        }
    }
    return found;
}

/* The message leaves the queue at once; the program's memory is written after that. */
ssize_t channel_messages_take(channel *c, unsigned char *queue, void *place, size_t size,
                              unsigned *priority, const void *here) {
    unsigned char taken[CHANNEL_MESSAGE_SIZE];
    CHECK(c->count && c->value);
    if (c->is_queue && size < c->message_size) {
        return fail_with(EMSGSIZE);
    }
    uint64_t at = find_next(c, queue), end = c->value;
    message_head head = head_at(queue, at);
    uint64_t length = sizeof head + head.size;
    CHECK(at + length <= end);
    size_t count = size < head.size ? size : head.size; /* the rest of a message is lost */
    memcpy(taken, queue + at + sizeof head, count);
    undo_write((uintptr_t)queue + at, end - at);
    memmove(queue + at, queue + at + length, end - at - length);
    c->value -= length;
    c->count--;
    CHECK((c->count == 0) == (c->value == 0));
    runtime.current->value = count;
    if (priority) {
        writes(priority, sizeof *priority, here);
        *priority = head.priority;
    }
    writes(place, count, here);
    memcpy(place, taken, count);
    return (ssize_t)count;
}
