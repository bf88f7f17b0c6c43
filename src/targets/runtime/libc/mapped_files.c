#include "targets/runtime/libc/mapped_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/memory/heap.h"

enum { PIECE_SIZE = 1 << 14 };

typedef struct mapped_file {
    uintptr_t low;
    size_t size;
    uint64_t offset;
    uint32_t content; /* when it was mapped */
    int system;       /* its descriptor, which stays open until the execution ends */
} mapped_file;

static VECTOR(mapped_file) mapped; /* in this execution */

void mapped_files_note(const open_file *file, uintptr_t low, size_t size, int64_t offset) {
    CHECK(file->open && size && heap_wide(low)); /* it is a block of its own */
    if (file->system && offset >= 0) {
        CHECK(file->content); /* up to date: the caller has looked at the file in this step */
        vector_push(&mapped, (mapped_file){.low = low,
                                           .size = size,
                                           .offset = (uint64_t)offset,
                                           .content = file->content,
                                           .system = file->system - 1});
    }
}

static bool is_live(const mapped_file *m) {
    const heap_header *block = (const heap_header *)heap_wide(m->low);
    return block && block->live && block->mapped;
}

/* Some bytes of the file as it is now, or as it was; zeroes after its end. */
static void bytes_now(const mapped_file *m, size_t at, unsigned char *piece) {
    memset(piece, 0, PIECE_SIZE);
    ssize_t count = pread(m->system, piece, PIECE_SIZE, (off_t)(m->offset + at));
    CHECK(count >= 0);
}

static void bytes_before(const mapped_file *m, size_t at, unsigned char *piece) {
    const file_content *content = contents_at(m->content);
    uint64_t from = m->offset + at;
    memset(piece, 0, PIECE_SIZE);
    if (from < content->size) {
        size_t left = (size_t)(content->size - from);
        memcpy(piece, content->data + from, left < PIECE_SIZE ? left : PIECE_SIZE);
    }
}

static bool has_changed(const mapped_file *m) {
    static unsigned char now[PIECE_SIZE], before[PIECE_SIZE];
    bool changed = false;
    for (size_t at = 0; at < m->size && !changed; at += PIECE_SIZE) {
        size_t left = m->size - at;
        bytes_now(m, at, now);
        bytes_before(m, at, before);
        changed = memcmp(now, before, left < PIECE_SIZE ? left : PIECE_SIZE) != 0;
    }
    return changed;
}

void mapped_files_check(void) {
    int error = errno;
    CHECK(!mapped.count || runtime.settings.allow_files);
    for (uint32_t i = 0; i < mapped.count; i++) {
        const mapped_file *m = &vector_at(&mapped, i);
        if (is_live(m) && has_changed(m)) {
            heddle_unsupported("changing bytes of a file that are mapped",
                               (const void *)location_address(runtime.current->pending.location));
        }
    }
    errno = error;
}

void mapped_files_reset(void) {
    vector_clear(&mapped);
}

void mapped_files_close(void) {
    vector_free(&mapped);
}
