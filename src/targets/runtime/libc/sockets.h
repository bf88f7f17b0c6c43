/* Stream sockets by which threads of the program connect to each other, by any address: nobody else
 * can be reached. A socket that listens is a channel (channels.h) whose bytes are connections: two
 * for each, the channels that the socket which accepts it reads and writes. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_SOCKETS_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_SOCKETS_H

#include <stdbool.h>

struct open_file;
struct runtime_thread;

/* The file is closed: what is connected to it and not accepted is shut. Part of a step that may
 * change all channels. */
void sockets_forget(struct runtime_thread *t, const struct open_file *file);

/* Of a call for a socket whose descriptor is none: sets errno and returns -1. */
int sockets_refuse(int descriptor);

/* As a step: it is a pipe, an eventfd or the like, where what is for sockets alone fails. */
bool sockets_is_other(int descriptor, const void *here);

/* Programs make a datagram socket to see whether the system has a family: they may close it and set
 * its options. Anything else is unsupported. No file (NULL) is fine. */
void sockets_refuse_datagram(const struct open_file *file, const void *here);

#endif
