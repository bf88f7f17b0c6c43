/* Memory mappings: blocks of the program's heap that start at a page and hold zeroes or a copy of a
 * file. So their addresses are the same in equivalent executions, they are put back, and whoever
 * uses one after munmap is found. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/heap_blocks.h"

#define HERE __builtin_return_address(0)

enum { PAGE_SIZE = 4096, ORDINARY = PROT_READ | PROT_WRITE };

static size_t whole_pages(size_t size) {
    return (size + PAGE_SIZE - 1) & ~(size_t)(PAGE_SIZE - 1);
}

static void *fail(int error) {
    errno = error;
    return MAP_FAILED;
}

/* A file's bytes as they are: what is written to the mapping stays there. */
static void copy_file(unsigned char *block, size_t size, const open_file *file, int64_t offset) {
    const file_content *content = contents_at(file->content);
    if (offset >= 0 && (uint64_t)offset < content->size) {
        size_t left = content->size - (size_t)offset;
        memcpy(block, content->data + offset, left < size ? left : size);
    }
}

static void *map(size_t size, int protection, int flags, int descriptor, int64_t offset,
                 const void *here) {
    bool file = !(flags & MAP_ANONYMOUS);
    if (!size || size > PTRDIFF_MAX) {
        return fail(size ? ENOMEM : EINVAL);
    }
    if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) || !(protection & PROT_READ) ||
        (protection & PROT_EXEC) || (file && (flags & MAP_SHARED) && (protection & PROT_WRITE))) {
        heddle_unsupported("mmap of a fixed place, of code, or to write a file", here);
    }
    const open_file *opened = NULL;
    if (file) {
        files_step(here);
        opened = files_of_descriptor(descriptor);
        if (!opened) {
            return fail(EBADF);
        }
    }
    unsigned char *block = heap_allocate_as(whole_pages(size), PAGE_SIZE, 0, here);
    if (block && opened) {
        copy_file(block, size, opened, offset);
    }
    CHECK((uintptr_t)block % PAGE_SIZE == 0);
    if (block) {
        heap_block((uintptr_t)block)->mapped = true;
    }
    return block ? block : fail(ENOMEM);
}

void *heddle_mmap(void *wish, size_t size, int protection, int flags, int descriptor,
                  int64_t offset) {
    (void)wish;
    return map(size, protection, flags, descriptor, offset, HERE);
}

int heddle_munmap(void *place, size_t size) {
    runtime_thread *t = runtime.current;
    uint32_t location = LOCATION_HERE();
    heap_header *header = heap_block((uintptr_t)place);
    if (!t || !header || !header->live || header->size != whole_pages(size)) {
        heddle_unsupported("munmap of what is not one whole mapping", HERE);
    }
    access_free(t, header, location_entry(HERE));
    heap_release(header, location);
    return 0;
}

int heddle_mprotect(void *place, size_t size, int protection) {
    (void)place;
    (void)size;
    if (protection != ORDINARY) {
        heddle_unsupported("mprotect that forbids something or allows code", HERE);
    }
    return 0;
}

/* Hints, but for those that change what the memory holds. */
int heddle_madvise(void *place, size_t size, int advice) {
    if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE) {
        access_plain(place, size, ACCESS_WRITE, HERE);
        memset(place, 0, size);
    }
    return 0;
}

int heddle_mlock(const void *place, size_t size) {
    (void)place, (void)size;
    return 0;
}

int heddle_munlock(const void *place, size_t size) {
    (void)place, (void)size;
    return 0;
}

int heddle_mlockall(int flags) {
    (void)flags;
    return 0;
}

int heddle_munlockall(void) {
    return 0;
}
