#define _GNU_SOURCE
#include "targets/runtime/libc/memory_streams.h"

#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/stream_locks.h"
#include "targets/runtime/sync/mutex.h"
#include "targets/runtime/sync/section.h"

typedef struct memory_stream {
    open_file file;       /* first */
    uint64_t uses;        /* what its steps change */
    bool temporary;       /* of tmpfile */
    pthread_mutex_t lock; /* of who writes the program's memory, and of flockfile */
    /* Of open_memstream: what the program sees of it, and where that is to be written. */
    char *block, **place;
    size_t *size_place;
    /* Of fmemopen: the program's memory, if it is to be written, and its size. */
    char *buffer;
    size_t room;
    bool is_bounded, is_full; /* something did not fit in it since it was flushed */
    uint64_t from;            /* where what was written since then begins */
    size_t count, length;     /* how much that is; the end of what was before */
} memory_stream;

enum { MOST_BYTES = 1 << 28 };

bool memory_streams_is(FILE *stream) {
    uintptr_t address = (uintptr_t)stream;
    const heap_header *header = heap_contains(address) ? heap_block(address) : NULL;
    return header && header->size == sizeof(memory_stream);
}

void memory_streams_step(FILE *stream, const void *here) {
    memory_stream *s = (memory_stream *)stream;
    versions_announce(&s->uses, sizeof s->uses, VERSION_fetch_add, 1, __ATOMIC_ACQ_REL,
                      __ATOMIC_ACQ_REL);
    bool announced =
        access_atomic(&s->uses, sizeof s->uses, OPERATION_ADD, ACCESS_READ_WRITE, here);
    undo_write((uintptr_t)s, sizeof *s);
    section_log((uintptr_t)s, sizeof *s);
    uint64_t before = s->uses++;
    if (announced) {
        access_atomic_done(ACCESS_READ_WRITE, __ATOMIC_SEQ_CST, before);
    }
    CHECK(s->file.memory);
}

int64_t memory_streams_write(open_file *file, const void *data, size_t size) {
    memory_stream *s = (memory_stream *)file;
    CHECK(file->memory && file->writable);
    size_t end = contents_at(file->content)->size;
    uint64_t at = file->appends ? end : file->position;
    size_t room = s->is_bounded ? s->room - (at < s->room ? (size_t)at : s->room) : size;
    size_t written = size < room ? size : room;
    file->content = contents_edit(file->content, at, data, written);
    file->position = at + written;
    s->from = s->count ? s->from : at;
    s->count += written;          /* it is contiguous: who goes elsewhere flushes first */
    s->is_full |= written < size; /* shows when the buffer is written */
    return (int64_t)size;
}

pthread_mutex_t *memory_streams_lock(FILE *stream) {
    return &((memory_stream *)stream)->lock;
}

/* ---- opening ---- */

/* The thread knows of it alone. */
static memory_stream *open_stream(bool writes_it, const void *here) {
    memory_stream *s = heap_allocate(sizeof *s, here);
    if (s) {
        writes(s, sizeof *s, here);
        *s = (memory_stream){.file = {.open = true,
                                      .memory = true,
                                      .writable = writes_it,
                                      .content = contents_edit(0, 0, "", 0)},
                             .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
        CHECK(memory_streams_is((FILE *)s));
    }
    return s;
}

FILE *heddle_open_memstream(char **place, size_t *size_place) {
    memory_stream *s = open_stream(true, HERE);
    if (s) {
        s->place = place;
        s->size_place = size_place;
    }
    return (FILE *)s;
}

FILE *heddle_tmpfile(void) {
    memory_stream *s = open_stream(true, HERE);
    if (s) {
        s->temporary = true;
    }
    return (FILE *)s;
}

FILE *heddle_fmemopen(void *buffer, size_t size, const char *mode) {
    reads_string(mode, HERE);
    char kind = mode[0];
    bool writes_it = kind != 'r' || strchr(mode, '+');
    size_t length = 0;
    if (!kind || !strchr("rwa", kind)) {
        errno = EINVAL;
        return NULL;
    }
    if (buffer && size && kind == 'w' &&
        strchr(mode, '+')) { /* as glibc, which leaves it in mode "w" */
        writes(buffer, 1, HERE);
        *(char *)buffer = '\0';
    } else if (buffer && kind != 'w') {
        length = kind == 'r' ? size : strnlen(buffer, size);
        reads(buffer, length + (length < size), HERE);
    }
    memory_stream *s = open_stream(writes_it, HERE);
    if (s) {
        s->file.content = contents_edit(0, 0, buffer ? buffer : "", length);
        s->file.position = kind == 'a' ? length : 0;
        s->file.appends = kind == 'a';
        s->file.unreadable = kind != 'r' && !strchr(mode, '+');
        s->buffer = writes_it ? buffer : NULL;
        s->room = size;
        s->length = length;
        s->is_bounded = true;
    }
    return (FILE *)s;
}

/* ---- flushing and closing ---- */

/* What is before the position counts; as in glibc, the rest is there until the stream is closed. */
static void give_block(memory_stream *s, const file_content *content, uint64_t position,
                       bool closes, const void *here) {
    size_t size = position < content->size ? (size_t)position : content->size;
    size_t count = closes ? size : content->size;
    CHECK(s->place && s->size_place);
    char *block = heap_allocate(count + 1, here), *old = s->block;
    if (!block) {
        return;
    }
    writes(block, count + 1, here);
    memcpy(block, content->data, count);
    block[count] = '\0';
    undo_write((uintptr_t)s, sizeof *s);
    s->block = block;
    writes_two(s->place, sizeof *s->place, s->size_place, sizeof *s->size_place, here);
    *s->place = block;
    *s->size_place = size;
    if (old) {
        heap_free(old, here);
    }
}

/* As glibc: a null byte after the last one if that is a new end, in the place of the last one if
 * there is no room, unless the stream appends. What was not written stays as the program has it. */
static void give_bytes(memory_stream *s, const file_content *content, const void *here) {
    size_t count = s->count, end = (size_t)s->from + count;
    if (!count) {
        return;
    }
    CHECK(count < PTRDIFF_MAX && end <= content->size && end <= s->room);
    const unsigned char *bytes = content->data + s->from;
    char *place = s->buffer + s->from;
    bool ends = end > s->length && bytes[count - 1], fits = end < s->room;
    s->count = 0;
    s->length = end > s->length ? end : s->length;
    writes(place, count + (ends && fits), here);
    memcpy(place, bytes, count);
    if (ends && (fits || !s->file.appends)) {
        place[fits ? count : count - 1] = '\0';
    }
}

/* Those who do it at the same time follow each other, as by the lock of the stream. */
static int flush(FILE *stream, bool closes, const void *here) {
    memory_stream *s = (memory_stream *)stream;
    mutex_lock(&s->lock, location_of(here));
    memory_streams_step(stream, here);
    file_content content = *contents_at(s->file.content); /* others may make more of them */
    bool failed = s->is_full;
    s->is_full = false;
    s->file.failed |= failed;
    if (s->place) {
        give_block(s, &content, s->file.position, closes, here);
    } else if (s->buffer) {
        give_bytes(s, &content, here);
    }
    CHECK(mutex_unlock(&s->lock, location_of(here)) == 0);
    return failed ? fail_with(ENOSPC) : 0;
}

int memory_streams_flush(FILE *stream, const void *here) {
    return flush(stream, false, here);
}

int memory_streams_close(FILE *stream, const void *here) {
    stream_locks_enter(stream, here);
    int result = flush(stream, true, here);
    stream_locks_end(stream, here);
    heap_free(stream, here);
    return result;
}

int memory_streams_before_seek(FILE *stream, const void *here) {
    bool bytes = memory_streams_is(stream) && ((memory_stream *)stream)->buffer;
    return bytes ? memory_streams_flush(stream, here) : 0;
}

bool memory_streams_may_seek(const open_file *file, uint64_t position, const void *here) {
    const memory_stream *s = (const memory_stream *)file;
    CHECK(file->memory);
    if (!s->is_bounded && position > MOST_BYTES) {
        heddle_unsupported("fseek beyond 256 MiB in memory", here);
    }
    return !s->is_bounded || position <= s->room;
}

void memory_streams_set_buffer(FILE *stream, const void *here) {
    if (memory_streams_is(stream) && ((memory_stream *)stream)->buffer) {
        heddle_unsupported("a stream of fmemopen without a buffer", here);
    }
}

int memory_streams_number(FILE *stream, const void *here) {
    if (((memory_stream *)stream)->temporary) {
        heddle_unsupported("fileno of a tmpfile", here);
    }
    return fail_with(EBADF);
}
