#include "targets/runtime/libc/stream_locks.h"

#include <errno.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/memory_streams.h"
#include "targets/runtime/libc/stream_step.h"
#include "targets/runtime/sync/mutex.h"

static pthread_mutex_t *locks;

/* Its item in the table of files; -1: it has none. */
static int item_of(FILE *stream) {
    uintptr_t offset = (uintptr_t)stream - (uintptr_t)files_table()->items;
    return stream == stdin                          ? 0
           : stream == stdout                       ? 1
           : stream == stderr                       ? 2
           : offset < FILES_MAX * sizeof(open_file) ? (int)(offset / sizeof(open_file))
                                                    : -1;
}

void stream_locks_open(pthread_mutex_t *array) {
    locks = array;
}

/* NULL: it is no stream, or the program locks none. */
static pthread_mutex_t *lock_of(FILE *stream) {
    int item = item_of(stream);
    CHECK(item < FILES_MAX);
    if (locks && runtime.current && memory_streams_is(stream)) {
        return memory_streams_lock(stream);
    }
    return locks && item >= 0 && runtime.current ? &locks[item] : NULL;
}

void stream_locks_enter(FILE *stream, const void *return_address) {
    pthread_mutex_t *lock = lock_of(stream);
    if (lock) {
        mutex_lock(lock, location_of(return_address));
    }
}

void stream_locks_leave(FILE *stream, const void *return_address) {
    pthread_mutex_t *lock = lock_of(stream);
    if (lock) {
        mutex_unlock(lock, location_of(return_address));
    }
}

void stream_locks_end(FILE *stream, const void *return_address) {
    pthread_mutex_t *lock = lock_of(stream);
    while (lock && sync_owned(runtime.current, sync_at(lock, &mutex_class))) {
        CHECK(mutex_unlock(lock, location_of(return_address)) == 0);
    }
}

const char *stream_locks_name(uintptr_t address) {
    static const char *const names[] = {"the lock of stdin", "the lock of stdout",
                                        "the lock of stderr", "the lock of a stream"};
    enum { NAMES = sizeof names / sizeof *names };
    uintptr_t item = (address - (uintptr_t)locks) / sizeof *locks;
    return !locks || item >= FILES_MAX ? NULL : names[item < NAMES ? item : NAMES - 1];
}

void heddle_flockfile_in(FILE *stream, const void *here) {
    stream_require(stream, here);
    stream_locks_enter(stream, here);
}

void heddle_funlockfile_in(FILE *stream, const void *here) {
    stream_locks_leave(stream, here);
}

int heddle_ftrylockfile_in(FILE *stream, const void *here) {
    stream_require(stream, here);
    pthread_mutex_t *lock = lock_of(stream);
    return lock ? mutex_try(lock, EBUSY, location_of(here)) : 0;
}
