/* Memory mappings: blocks of the program's heap that start at a page and hold zeroes or a copy of a
 * file. So their addresses are the same in equivalent executions, they are restored, and uses after
 * munmap or against the protection are found (memory/mapping_parts.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/mapped_files.h"
#include "targets/runtime/memory/heap_blocks.h"
#include "targets/runtime/memory/mapping_parts.h"

#define HERE __builtin_return_address(0)

enum { PAGE_SIZE = 4096 };

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

/* The live mapping that has all of these pages; or NULL. */
static heap_header *mapping_of(uintptr_t low, size_t size) {
    heap_header *block = (heap_header *)heap_wide(low);
    bool mapped = block && block->live && block->mapped;
    return mapped && size <= heap_start_of(block) + block->size - low ? block : NULL;
}

static enum mapping_state state_of(int protection, const void *here) {
    if (protection & PROT_EXEC) {
        heddle_unsupported("memory for code", here);
    }
    return protection & PROT_WRITE  ? MAPPING_ORDINARY
           : protection & PROT_READ ? MAPPING_READABLE
                                    : MAPPING_PROTECTED;
}

static void set_state(uintptr_t low, size_t size, enum mapping_state state, const void *here) {
    const runtime_thread *t = runtime.current;
    mapping_part part = {.low = low,
                         .high = low + size,
                         .state = state,
                         .thread = (uint16_t)(t ? t->number : RUNTIME_MAIN),
                         .location = location_of(here)};
    CHECK(low % PAGE_SIZE == 0 && size % PAGE_SIZE == 0);
    if (!mapping_parts_set(part)) {
        heddle_unsupported("more than 256 parts of mappings that are unmapped or protected", here);
    }
}

/* Constructors run before there is a thread. */
static void protect(heap_header *block, uintptr_t low, size_t size, enum protect_how how,
                    const void *here) {
    if (runtime.current) {
        access_protect(runtime.current, block, low, size, how, location_entry(here));
    }
}

static void make_zero(uintptr_t low, size_t size) {
    undo_write(low, size);
    memset((void *)low, 0, size);
}

/* In place of pages of a mapping that is there. */
static void *map_again(void *place, size_t size, int protection, int flags, const void *here) {
    uintptr_t low = (uintptr_t)place;
    heap_header *block = mapping_of(low, size);
    if (!block || low % PAGE_SIZE || !(flags & MAP_ANONYMOUS) ||
        (flags & MAP_FIXED_NOREPLACE) == MAP_FIXED_NOREPLACE) {
        heddle_unsupported("mmap of a fixed place", here);
    }
    enum mapping_state state = state_of(protection, here);
    protect(block, low, size, PROTECT_WRITES, here);
    make_zero(low, size);
    set_state(low, size, state, here);
    return place;
}

/* A block of one page would have extents, which no protection shows in. */
static unsigned char *new_block(size_t size, const void *here) {
    size_t least = HEAP_WIDE_SIZE + 1;
    unsigned char *block = heap_allocate_as(size < least ? least : size, PAGE_SIZE, 0, here);
    CHECK((uintptr_t)block % PAGE_SIZE == 0);
    if (block) {
        heap_header *header = heap_block((uintptr_t)block);
        CHECK(heap_is_wide(header));
        header->mapped = true;
        header->size = (uint32_t)size;
    }
    return block;
}

#ifdef MAP_32BIT
enum { LOW_ADDRESSES = MAP_32BIT };
#else
enum { LOW_ADDRESSES = 0 };
#endif

static void *map(size_t size, int protection, int flags, int descriptor, int64_t offset,
                 const void *here) {
    bool file = !(flags & MAP_ANONYMOUS);
    if (file && (flags & MAP_SHARED) && (protection & PROT_WRITE)) {
        heddle_unsupported("mmap to write a file", here);
    }
    enum mapping_state state = state_of(protection, here);
    const open_file *opened = NULL;
    if (file) {
        files_step(here);
        opened = files_of_descriptor(descriptor);
        if (!opened) {
            return fail(EBADF);
        }
    }
    unsigned char *block = new_block(whole_pages(size), here);
    if (block && opened) {
        copy_file(block, size, opened, offset);
        mapped_files_note(opened, (uintptr_t)block, whole_pages(size), offset);
    }
    if (block && state != MAPPING_ORDINARY) {
        set_state((uintptr_t)block, whole_pages(size), state, here);
    }
    return block ? block : fail(ENOMEM);
}

void *heddle_mmap(void *wish, size_t size, int protection, int flags, int descriptor,
                  int64_t offset) {
    if (!size || size > PTRDIFF_MAX) {
        return fail(size ? ENOMEM : EINVAL);
    }
    if (flags & LOW_ADDRESSES) {
        heddle_unsupported("mmap with MAP_32BIT", HERE);
    }
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
        return map_again(wish, whole_pages(size), protection, flags, HERE);
    }
    return map(size, protection, flags, descriptor, offset, HERE);
}

static void unmap_whole(heap_header *block, const void *here) {
    uintptr_t start = heap_start_of(block);
    if (runtime.current) {
        access_free(runtime.current, block, location_entry(here));
    }
    if (mapping_parts_bad(start, start + block->size, ACCESS_WRITE) < start + block->size) {
        set_state(start, block->size, MAPPING_ORDINARY, here);
    }
    heap_release(block, location_of(here));
}

static void unmap_part(heap_header *block, uintptr_t low, size_t size, const void *here) {
    uintptr_t start = heap_start_of(block);
    protect(block, low, size, PROTECT_UNMAPS, here);
    set_state(low, size, MAPPING_UNMAPPED, here);
    if (mapping_parts_gone(start, start + block->size)) {
        set_state(start, block->size, MAPPING_ORDINARY, here);
        heap_release(block, location_of(here));
    }
}

int heddle_munmap(void *place, size_t size) {
    uintptr_t low = (uintptr_t)place;
    if (!size || low % PAGE_SIZE) {
        errno = EINVAL;
        return -1;
    }
    heap_header *block = size <= PTRDIFF_MAX ? mapping_of(low, whole_pages(size)) : NULL;
    if (!block) {
        heddle_unsupported("munmap of what is not in one mapping", HERE);
    }
    if (block->size == whole_pages(size)) {
        unmap_whole(block, HERE);
    } else {
        unmap_part(block, low, whole_pages(size), HERE);
    }
    return 0;
}

int heddle_mprotect(void *place, size_t size, int protection) {
    uintptr_t low = (uintptr_t)place;
    size_t pages = whole_pages(size);
    heap_header *block = mapping_of(low, pages);
    enum mapping_state state = state_of(protection, HERE);
    if (low % PAGE_SIZE || (block && mapping_parts_has_hole(low, low + pages))) {
        errno = low % PAGE_SIZE ? EINVAL : ENOMEM;
        return -1;
    }
    if (block && pages) {
        protect(block, low, pages, state == MAPPING_PROTECTED ? PROTECT_TAKES : PROTECT_WRITES,
                HERE);
        set_state(low, pages, state, HERE);
    } else if (state != MAPPING_ORDINARY) {
        heddle_unsupported("mprotect of what was not mapped by mmap", HERE);
    }
    return 0;
}

/* Hints, but for those that change what the memory holds, even where it is protected. */
int heddle_madvise(void *place, size_t size, int advice) {
    if (advice != MADV_DONTNEED && advice != MADV_FREE && advice != MADV_REMOVE) {
        return 0;
    }
    heap_header *block = mapping_of((uintptr_t)place, size);
    if (block && size) {
        protect(block, (uintptr_t)place, size, PROTECT_WRITES, HERE);
        make_zero((uintptr_t)place, size);
    } else {
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

/* Where the memory after the program's variables would end: some place where nothing is. */
enum { BREAK = 1 << 28 };

void *heddle_sbrk(intptr_t increment) {
    if (increment) {
        heddle_unsupported("sbrk that moves the end of the memory", HERE);
    }
    return (void *)(uintptr_t)BREAK;
}
