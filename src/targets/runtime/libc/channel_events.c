#define _GNU_SOURCE
/* What poll and epoll see of channels. */
#include <poll.h>

#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"

static const channel *end_of(uint32_t number) {
    return number ? channels_at(number) : NULL;
}

uint32_t channels_add_accesses(const open_file *file, uint8_t mode, memory_access *accesses,
                               uint32_t count) {
    const channel *source = file ? end_of(file->source) : NULL;
    const channel *target = file ? end_of(file->target) : NULL;
    if (source) {
        accesses[count++] = channels_access(source, source->is_timer ? ACCESS_READ_WRITE : mode);
    }
    if (target && target != source) {
        accesses[count++] = channels_access(target, mode);
    }
    return count;
}

short channels_new_events(const open_file *file, short events, uint32_t arrivals,
                          uint32_t leavings) {
    const channel *source = end_of(file->source), *target = end_of(file->target);
    short out = POLLOUT | POLLWRNORM | POLLERR;
    short in_news = source && source->arrivals != arrivals ? (short)~out : 0;
    short out_news = target && target->leavings != leavings ? out : 0;
    return (short)(events & (in_news | out_news));
}

short channels_events(const open_file *file, short asked, uint64_t now) {
    const channel *source = end_of(file->source), *target = end_of(file->target);
    bool ended = source && channels_has_ended(source);
    bool broken = target && channels_is_broken(target);
    short events = 0;
    if (!source && !target) {
        return POLLHUP; /* a socket that is not connected, or no longer listens */
    }
    if (source && (source->count || channel_timer_is_due(source, now))) {
        events |= POLLIN | POLLRDNORM;
    }
    if (ended) { /* to read the end of a stream from a socket is an event, of a pipe it is none */
        events |= file->socket ? POLLIN | POLLRDNORM | POLLRDHUP : POLLHUP;
    }
    if (target && !target->is_timer &&
        channels_can_write(target, target->has_messages ? 0 : CHANNEL_ATOMIC)) {
        events |= POLLOUT | POLLWRNORM;
    }
    if ((broken && !file->socket) || (source && source->was_reset)) {
        events |= POLLERR;
    }
    if (broken && file->socket && ended) {
        events |= POLLHUP;
    }
    return (short)(events & (asked | POLLHUP | POLLERR));
}
