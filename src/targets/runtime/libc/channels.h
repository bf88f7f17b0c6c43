/* Pipes, sockets of a pair, eventfds and message queues between threads of the program: bytes in a
 * queue.
 *
 * A descriptor (files.h) refers to one or two channels: what is read comes from one, what is
 * written goes to the other. Each use of a channel is a step that reads and writes it, and blocks
 * while there is nothing to read or no room, unless the descriptor does not block. A read comes
 * after the writes before it, for the race detector; a write after nothing. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_CHANNELS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/footprint.h"
#include "core/operation.h"

enum { CHANNELS_MAX = 16, CHANNEL_SIZE = 65536, CHANNEL_ATOMIC = 4096 };

/* What a spin loop sees of it comes first (spin.h). */
typedef struct channel {
    /* of bytes or messages; of an eventfd: 8 if its value is not 0; of an epoll: changes */
    uint32_t count;
    uint16_t readers, writers;
    bool is_event, counts_down; /* an eventfd; one with EFD_SEMAPHORE */
    bool is_timer;              /* an eventfd that counts by itself: channel_timers.h */
    bool is_posix;              /* a timer of timer_create: posix_timers.c */
    bool is_epoll;
    bool is_listener;                     /* a socket that is connected to: sockets.h */
    bool is_shut;                         /* by shutdown, at either end of a socket */
    bool was_reset;                       /* its writer is closed, and had not read everything */
    bool has_messages;                    /* channel_messages.h */
    bool is_queue;                        /* of mq_open: it has no end */
    uint32_t clock;                       /* row of the race detector, or 0 */
    uint64_t value;                       /* of an eventfd; of messages: their bytes in the queue */
    uint32_t arrivals, leavings;          /* so far, of bytes and ends: for epoll's edges */
    uint32_t most_messages, message_size; /* of a queue */
    uint32_t capacity;                    /* of bytes */
    int measured_by;                      /* the clock of a timer */
    uint64_t deadline, interval;
    uint64_t overruns; /* of the latest expiry of a timer */
    uintptr_t notify;  /* a function of the program, which gets this: */
    uintptr_t notify_value;
} channel;

/* How a read or write waits, and what else it says of a message. */
typedef struct channel_wait {
    bool waits;
    bool accepts; /* connections of a socket that listens, and nothing else */
    bool times_out;
    uint64_t deadline;  /* then; */
    uint64_t span;      /* or, by an option of the socket, after this time */
    unsigned *priority; /* of a message; or NULL */
} channel_wait;

struct open_file;
struct runtime_thread;
struct state_cursor;

/* A new one, as a positive number; 0 with errno. Part of a step that channels_create_step begins.
 */
uint32_t channels_new(bool is_event);

/* A step that changes what descriptors stand for, or creates channels: the files and all channels
 * may be changed until the next one. */
void channels_create_step(const void *return_address);

/* close, as a step. True: it was the descriptor of a channel, and is closed. */
bool channels_close(int descriptor, const void *return_address);

/* Reads or writes, as a step, and gives the result of the call in *result. False: the descriptor is
 * not that of a channel, and the step was that of an ordinary file. */
bool channels_read(int descriptor, void *place, size_t size, bool waits, ssize_t *result,
                   const void *return_address);
bool channels_write(int descriptor, const void *data, size_t size, bool waits, bool signals,
                    ssize_t *result, const void *return_address);

/* The same as one step, with errno ETIMEDOUT after a time-out. */
bool channels_receive(int descriptor, void *place, size_t size, channel_wait wait, ssize_t *result,
                      const void *return_address);
bool channels_send(int descriptor, const void *data, size_t size, channel_wait wait,
                   ssize_t *result, const void *return_address);

/* Bytes that come and go within a step of channels_create_step. */
void channels_put(channel *c, const void *data, size_t size);
void channels_take(channel *c, void *place, size_t size);

/* The channel of a positive number. */
channel *channels_at(uint32_t number);

/* A descriptor for two channels that exist, as a step. A thread that uses the number of a closed
 * descriptor may get to these channels, so that their uses then depend on the step. */
struct open_file *channels_open(uint32_t source, uint32_t target, const void *return_address);

/* Closes the ends of channels that a file has; part of a step of channels_create_step. */
void channels_leave(struct runtime_thread *t, struct open_file *file);

/* Ends directions of a connected socket, which keeps its channels: what has arrived can still be
 * read. Part of such a step. */
void channels_shut(struct runtime_thread *t, const struct open_file *file, bool reading,
                   bool writing);

/* Nothing can be written to it any more, or nobody will read that. */
bool channels_has_ended(const channel *c);
bool channels_is_broken(const channel *c);

/* Closes a descriptor of any file but 0, 1 and 2; part of such a step. */
void channels_drop(struct runtime_thread *t, int descriptor);

/* The descriptor is that of a channel now. */
bool channels_is(int descriptor);

/* The program will have channels. */
void channels_expect(void);

/* The program is closed. */
void channels_forget(void);

/* The program may have channels: its reads and writes have to be checked for them. */
bool channels_are_used(void);

/* The file of a descriptor of a channel, and the channels that it reads and writes, or NULL; what
 * is in one. */
struct open_file *channels_file(int descriptor);
channel *channels_source(int descriptor);
channel *channels_target(int descriptor);
unsigned char *channels_bytes(const channel *c);

/* What the thread has done happens before what those do who read the channel. */
void channels_release(struct runtime_thread *t, channel *c);

/* An access of a step to all of it; and whether a write of so many bytes need not wait. */
memory_access channels_access(const channel *c, uint8_t mode);
bool channels_can_write(const channel *c, size_t size);

/* Adds the accesses of a look at the channels of a file, if it has any, to a list. */
uint32_t channels_add_accesses(const struct open_file *file, uint8_t mode, memory_access *accesses,
                               uint32_t count);

/* Which of the events of poll that are asked for hold for the file at that time. The second: which
 * of them are new since a look at which the channel had so many arrivals and leavings. */
short channels_events(const struct open_file *file, short asked, uint64_t now);
short channels_new_events(const struct open_file *file, short events, uint32_t arrivals,
                          uint32_t leavings);

bool channels_describe(uint32_t object, FILE *out);

/* Which channel an object of footprints stands for, and back (targets/native/names.c). */
bool channels_find(uint32_t object, uint32_t *number);
uint32_t channels_object(uint32_t number);
void channels_pass(struct state_cursor *c);
void channels_visit(void (*visit)(const char *name, uint32_t number, const void *data,
                                  size_t size));

#endif
