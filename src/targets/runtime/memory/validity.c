#define _GNU_SOURCE
#include "targets/runtime/memory/validity.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/libraries_memory.h"
#include "targets/runtime/memory/mapping_parts.h"
#include "targets/runtime/memory/own_frames.h"
#include "targets/runtime/race/race.h"

enum { PAGE_SIZE = 4096, TEXT_SIZE = 480 };

void (*validity_describe)(const validity_report *report, char *text, size_t size);

void validity_open(void) {
    libraries_memory_open();
}

/* The first byte that must not be accessed, or UINTPTR_MAX; and what is there. */
typedef struct finding {
    uintptr_t bad;
    enum validity_place place;
    uint32_t owner;
} finding;

static const finding nothing = {.bad = UINTPTR_MAX};

static finding find_by_extents(uintptr_t address, size_t size, enum validity_place place) {
    for (uintptr_t at = address, end = address + size; at < end;) {
        uintptr_t next = (at | 7) + 1;
        uintptr_t good_end = (at & ~(uintptr_t)7) + space_extent(at);
        if (good_end < next && good_end < end) {
            return (finding){.bad = good_end > at ? good_end : at, .place = place};
        }
        at = next;
    }
    return nothing;
}

/* Above what has been made accessible the processor faults. */
static finding find_in_heap(uintptr_t address, size_t size, uint8_t mode) {
    const heap_header *wide = heap_wide(address);
    if (!heap_reached(address)) {
        return nothing;
    }
    if (!wide) {
        return find_by_extents(address, size, PLACE_HEAP);
    }
    size_t offset = address - heap_start_of(wide);
    bool inside = offset < wide->size;
    uintptr_t end = heap_start_of(wide) + wide->size;
    if (wide->live && inside && wide->mapped) {
        end = mapping_parts_bad(address, end, mode);
    }
    if (wide->live && inside && size <= end - address) {
        return nothing;
    }
    return (finding){.bad = wide->live && inside ? end : address, .place = PLACE_HEAP};
}

/* Frames of heddle's functions are smaller than that, all together. */
enum { OWN_FRAMES_SIZE = 4096 };

/* The end of the live frames of a thread that does not run, as far as it matters for the address.
 * Frames that a thread had left before it failed stay dead, though heddle's report used their
 * place. */
static uintptr_t end_of_parked(const runtime_thread *t, uintptr_t address) {
    uintptr_t low = t->context.stack_pointer;
    if (address - low < OWN_FRAMES_SIZE) {
        low = own_frames_end(t, &t->context);
    }
    return t->status != THREAD_LIVE && low < t->dead ? t->dead : low;
}

/* The stack of a thread that runs or waits, from its stack pointer up. After `exit`, or where a
 * thread failed or was stopped, its frames stay; those of main stay even after pthread_exit. */
static finding find_in_stack(const runtime_thread *t, uintptr_t address, size_t size) {
    uint32_t number = space_stack_owner(address);
    const runtime_thread *owner = &runtime.threads[number];
    uintptr_t low = owner->left  ? owner->left
                    : owner == t ? FIBER_CALLER_STACK()
                                 : end_of_parked(owner, address);
    uintptr_t top = owner->own_low + owner->own_size;
    if (owner->status == THREAD_NONE || address < owner->own_low) {
        return nothing; /* a guard page, or a stack that never was: the processor faults */
    }
    bool ended = owner->status == THREAD_ENDED && number != RUNTIME_MAIN;
    if (ended || address < low) {
        return (finding){address, ended ? PLACE_ENDED : PLACE_STACK, number};
    }
    if (address < top && size <= top - address) {
        return nothing;
    }
    return (finding){address < top ? top : address, PLACE_ABOVE, number};
}

static bool is_mapped(uintptr_t address) {
    unsigned char resident;
    return mincore((void *)(address & ~(uintptr_t)(PAGE_SIZE - 1)), 1, &resident) == 0;
}

/* Not the program's: what libraries have may be read, and written where it is theirs. */
static finding find_elsewhere(uintptr_t address, size_t size, uint8_t mode) {
    bool good =
        !(mode & ACCESS_WRITE) || libraries_memory_writable(address, size) || !is_mapped(address);
    return good ? nothing : (finding){.bad = address, .place = PLACE_NOWHERE};
}

static finding find(const runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    if (heap_contains(address)) {
        return find_in_heap(address, size, mode);
    }
    if (address - space.stacks_low < space.stacks_size) {
        return find_in_stack(t, address, size);
    }
    if (address - space.globals_low < space.globals_size) {
        return find_by_extents(address, size, PLACE_GLOBAL);
    }
    if (address - space.image_low < space.image_size) {
        return mode & ACCESS_WRITE ? (finding){.bad = address, .place = PLACE_CONSTANT} : nothing;
    }
    return find_elsewhere(address, size, mode);
}

bool validity_good(const runtime_thread *t, uintptr_t address, size_t size, uint8_t mode) {
    return find(t, address, size, mode).bad == UINTPTR_MAX;
}

static enum error_kind kind_in_heap(uintptr_t bad) {
    const heap_header *block = heap_before(bad);
    bool inside = block && bad - heap_start_of(block) < block->size;
    if (inside && block->live && block->mapped) {
        const mapping_part *part = mapping_parts_at(bad);
        return part && part->state == MAPPING_UNMAPPED ? ERROR_USE_AFTER_FREE : ERROR_CRASH;
    }
    return inside && !block->live ? ERROR_USE_AFTER_FREE : ERROR_OVERFLOW;
}

static enum error_kind kind_of(const finding *f) {
    switch (f->place) {
        case PLACE_HEAP: return kind_in_heap(f->bad);
        case PLACE_ABOVE:
        case PLACE_GLOBAL: return ERROR_OVERFLOW;
        case PLACE_STACK:
        case PLACE_ENDED: return ERROR_USE_AFTER_FREE;
        case PLACE_CONSTANT:
        case PLACE_NOWHERE: break;
    }
    return ERROR_CRASH;
}

_Noreturn static void fail(runtime_thread *t, const validity_report *report, uint32_t location) {
    char text[TEXT_SIZE] = "access outside the memory of the program";
    if (validity_describe) {
        validity_describe(report, text, sizeof text);
    }
    runtime_miss(t, report->address);
    runtime.faulted = true;
    runtime_fail(t, report->kind, location, "%s", text);
}

/* A use of a block that another thread frees races with the free, if it could have come first. */
static void race_with_free(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                           uint32_t location) {
    const heap_header *wide = heap_wide(address);
    if (wide && !wide->live) { /* else only these pages of a mapping are gone */
        address = (uintptr_t)wide;
        size = 1;
    }
    race_range(t, address, size, mode, location);
}

void validity_fail(runtime_thread *t, uintptr_t address, size_t size, uint8_t mode,
                   uint32_t location) {
    finding f = find(t, address, size, mode);
    CHECK(f.bad != UINTPTR_MAX); /* validity_good has returned false */
    if (f.place == PLACE_HEAP && kind_of(&f) == ERROR_USE_AFTER_FREE && !t->section_depth) {
        race_with_free(t, address, size, mode, location);
    } else if ((f.place == PLACE_ENDED || f.place == PLACE_STACK) && !t->section_depth) {
        race_range(t, address, size, mode, location); /* what races is tried in other orders, too */
    }
    validity_report report = {.kind = kind_of(&f),
                              .place = f.place,
                              .address = address,
                              .size = size,
                              .mode = mode,
                              .bad = f.bad,
                              .owner = f.owner};
    fail(t, &report, location);
}

void validity_fail_dead(runtime_thread *t, uintptr_t address, size_t size, const void *here) {
    validity_report report = {.kind = ERROR_USE_AFTER_FREE,
                              .place = PLACE_STACK,
                              .address = address,
                              .size = size,
                              .bad = address,
                              .owner = t->number};
    fail(t, &report, location_of(here));
}

static enum validity_place place_of(uintptr_t address) {
    return heap_contains(address)                             ? PLACE_HEAP
           : address - space.stacks_low < space.stacks_size   ? PLACE_STACK
           : address - space.globals_low < space.globals_size ? PLACE_GLOBAL
           : address - space.image_low < space.image_size     ? PLACE_CONSTANT
                                                              : PLACE_NOWHERE;
}

void validity_fail_free(runtime_thread *t, uintptr_t address, uint32_t location, const char *what) {
    const heap_header *block = heap_block(address);
    validity_report report = {.kind = block ? ERROR_DOUBLE_FREE : ERROR_INVALID_FREE,
                              .place = place_of(address),
                              .address = address,
                              .bad = address,
                              .freeing = what};
    if (report.place == PLACE_NOWHERE && is_mapped(address)) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported: %s of memory that a library has allocated", what);
    }
    if (report.place == PLACE_STACK) {
        report.owner = space_stack_owner(address);
    }
    if (block && !t->section_depth) {
        race_with_free(t, address, 1, ACCESS_WRITE, location);
    }
    fail(t, &report, location);
}
