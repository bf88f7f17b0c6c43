#define _GNU_SOURCE
/* POSIX message queues between threads of the program: channels with messages (channels.h). A
 * program starts without any. A queue that has a name counts as open for reading and writing. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_messages.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/clock.h"

enum { USUAL_MESSAGES = 10, PRIORITIES = 32768 };

static char *name_of(uint32_t number) {
    CHECK(number && number <= CHANNELS_MAX);
    return files_table()->queue_names[number - 1];
}

/* The channel of this name, as a positive number, or 0. */
static uint32_t find(const char *name) {
    for (uint32_t i = 1; i <= CHANNELS_MAX; i++) {
        if (name_of(i)[0] && strcmp(name_of(i), name) == 0) {
            return i;
        }
    }
    return 0;
}

/* ---- names ---- */

static uint32_t create(const char *name, const struct mq_attr *wanted, const void *here) {
    struct mq_attr usual = {.mq_maxmsg = USUAL_MESSAGES, .mq_msgsize = CHANNEL_MESSAGE_SIZE};
    const struct mq_attr *a = wanted ? wanted : &usual;
    if (a->mq_maxmsg <= 0 || a->mq_msgsize <= 0) {
        errno = EINVAL;
        return 0;
    }
    uint32_t number = channels_new(false);
    if (!number) {
        heddle_unsupported("more than 16 pipes or message queues", here);
    }
    channel *c = channels_at(number);
    CHECK(c->readers == 1 && c->writers == 1 && !c->count); /* its name */
    c->has_messages = c->is_queue = true;
    c->most_messages = (uint32_t)a->mq_maxmsg;
    c->message_size = (uint32_t)a->mq_msgsize;
    strcpy(name_of(number), name);
    return number;
}

static int open_queue(uint32_t number, int flags, const void *here) {
    channel *c = channels_at(number);
    CHECK(c->is_queue && c->readers && c->writers);
    open_file *file = files_new();
    if (!file) {
        heddle_unsupported("more than 61 files open at a time", here);
    }
    int mode = flags & O_ACCMODE;
    file->source = (uint8_t)(mode != O_WRONLY ? number : 0);
    file->target = (uint8_t)(mode != O_RDONLY ? number : 0);
    file->does_not_block = flags & O_NONBLOCK;
    c->readers = (uint16_t)(c->readers + (mode != O_WRONLY));
    c->writers = (uint16_t)(c->writers + (mode != O_RDONLY));
    return files_number(file);
}

mqd_t heddle_mq_open(const char *name, int flags, ...) {
    const struct mq_attr *wanted = NULL;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        (void)va_arg(list, mode_t);
        wanted = va_arg(list, const struct mq_attr *);
        va_end(list);
    }
    size_t size = strlen(name) + 1;
    reads(name, size, HERE);
    reads(wanted, wanted ? sizeof *wanted : 0, HERE);
    channels_create_step(HERE);
    if (size > QUEUE_NAME_SIZE) {
        heddle_unsupported("mq_open of a name with more than 47 bytes", HERE);
    }
    if (name[0] != '/' || !name[1]) {
        return fail_with(EINVAL);
    }
    uint32_t number = find(name);
    if (number && flags & O_CREAT && flags & O_EXCL) {
        return fail_with(EEXIST);
    }
    if (!number && !(flags & O_CREAT)) {
        return fail_with(ENOENT);
    }
    number = number ? number : create(name, wanted, HERE);
    return number ? open_queue(number, flags, HERE) : -1;
}

_Static_assert(QUEUE_NAME_SIZE == 48, "the message names it");

int heddle_mq_close(mqd_t queue) {
    return channels_close(queue, HERE) ? 0 : fail_with(EBADF);
}

int heddle_mq_unlink(const char *name) {
    reads(name, strlen(name) + 1, HERE);
    channels_create_step(HERE);
    uint32_t number = find(name);
    if (!number) {
        return fail_with(ENOENT);
    }
    channel *c = channels_at(number);
    CHECK(c->readers && c->writers);
    c->readers--;
    c->writers--;
    memset(name_of(number), 0, QUEUE_NAME_SIZE);
    return 0;
}

/* ---- attributes ---- */

static open_file *file_of(mqd_t queue) {
    open_file *file = files_at(queue);
    uint32_t number = file && file->open ? (file->source ? file->source : file->target) : 0;
    return number && channels_at(number)->is_queue ? file : NULL;
}

static struct mq_attr attributes_of(const open_file *file) {
    const channel *c = channels_at(file->source ? file->source : file->target);
    CHECK(c->count <= c->most_messages);
    return (struct mq_attr){.mq_flags = file->does_not_block ? O_NONBLOCK : 0,
                            .mq_maxmsg = c->most_messages,
                            .mq_msgsize = c->message_size,
                            .mq_curmsgs = c->count};
}

int heddle_mq_getattr(mqd_t queue, void *place) {
    channels_create_step(HERE);
    const open_file *file = file_of(queue);
    if (!file) {
        return fail_with(EBADF);
    }
    struct mq_attr found = attributes_of(file);
    writes(place, sizeof found, HERE);
    memcpy(place, &found, sizeof found);
    return 0;
}

int heddle_mq_setattr(mqd_t queue, const void *fresh, void *place) {
    struct mq_attr wanted;
    reads(fresh, sizeof wanted, HERE);
    memcpy(&wanted, fresh, sizeof wanted);
    channels_create_step(HERE);
    open_file *file = file_of(queue);
    if (!file) {
        return fail_with(EBADF);
    }
    struct mq_attr found = attributes_of(file);
    file->does_not_block = wanted.mq_flags & O_NONBLOCK;
    if (place) {
        writes(place, sizeof found, HERE);
        memcpy(place, &found, sizeof found);
    }
    return 0;
}

/* ---- messages ---- */

static bool sets_wait(channel_wait *wait, const struct timespec *until, const void *here) {
    if (until) {
        reads(until, sizeof *until, here);
        wait->times_out = true;
        wait->deadline = clock_deadline(CLOCK_REALTIME, until);
    }
    return !until || wait->deadline != DEADLINE_INVALID;
}

static int send_message(mqd_t queue, const char *data, size_t size, unsigned priority,
                        const struct timespec *until, const void *here) {
    channel_wait wait = {.waits = true, .priority = &priority};
    ssize_t result;
    if (priority >= PRIORITIES || !sets_wait(&wait, until, here)) {
        return fail_with(EINVAL);
    }
    reads(data, size, here);
    bool known = channels_send(queue, data, size, wait, &result, here);
    return !known ? fail_with(EBADF) : result < 0 ? -1 : 0;
}

static ssize_t receive_message(mqd_t queue, char *place, size_t size, unsigned *priority,
                               const struct timespec *until, const void *here) {
    channel_wait wait = {.waits = true, .priority = priority};
    ssize_t result;
    if (!sets_wait(&wait, until, here)) {
        return fail_with(EINVAL);
    }
    bool known = channels_receive(queue, place, size, wait, &result, here);
    return known ? result : fail_with(EBADF);
}

int heddle_mq_send(mqd_t queue, const char *data, size_t size, unsigned priority) {
    return send_message(queue, data, size, priority, NULL, HERE);
}

int heddle_mq_timedsend(mqd_t queue, const char *data, size_t size, unsigned priority,
                        const struct timespec *until) {
    return send_message(queue, data, size, priority, until, HERE);
}

ssize_t heddle_mq_receive(mqd_t queue, char *place, size_t size, unsigned *priority) {
    return receive_message(queue, place, size, priority, NULL, HERE);
}

ssize_t heddle_mq_timedreceive(mqd_t queue, char *place, size_t size, unsigned *priority,
                               const struct timespec *until) {
    return receive_message(queue, place, size, priority, until, HERE);
}
