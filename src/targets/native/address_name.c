#define _GNU_SOURCE
#include "targets/native/address_name.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <string.h>

#include "targets/native/block_origin.h"
#include "targets/native/block_type.h"
#include "targets/native/locals.h"
#include "targets/native/quotation.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

#define ATOMIC_FLAG_MEMBER ".__val"

static symbolizer *symbols;
static enum address_naming naming;

/* The meaning of the access or pointer that is described. */
static type_goal goal;

/* The number of the block among those that its thread has allocated at the same place. */
static uint32_t number_of(const heap_header *block) {
    const runtime_thread *owner = &runtime.threads[block->allocating_thread];
    uint32_t number = 1, origin = block_origin(symbols, block);
    for (const heap_header *h = heap_next(owner, NULL); h && h != block; h = heap_next(owner, h)) {
        number += block_origin(symbols, h) == origin;
    }
    return number;
}

/* A function that hands memory on may keep something for itself in front of it: then only the
 * size can tell that what the caller has begins where the block does. */
static const block_type *type_of(const heap_header *block) {
    uint32_t origin = block_origin(symbols, block);
    const block_type *b = block_type_find(symbols, location_address(origin));
    bool fits = b && (origin == block->allocated ? block->size >= b->size : block->size == b->size);
    return fits ? b : NULL;
}

/* "q", "T1's node#2": by the line that allocates it. */
static const block_type *name_typed(const heap_header *block, char *name, size_t size) {
    const block_type *b = type_of(block);
    char thread[NAME_SIZE] = "", number[16] = "";
    if (!b) {
        return NULL;
    }
    if (block->allocating_thread != RUNTIME_MAIN && naming == NAMES_FULL) {
        threads_name(block->allocating_thread, thread, sizeof thread);
    }
    if (naming == NAMES_FULL && number_of(block) > 1) {
        snprintf(number, sizeof number, "#%u", number_of(block));
    }
    snprintf(name, size, "%s%s%s%s", thread, *thread ? "'s " : "", b->name, number);
    return b;
}

/* Not an array of several. */
static bool is_single(const heap_header *block, const block_type *b) {
    return b->open || block->size / b->size == 1 || block->size % b->size != 0;
}

static bool is_in_typed(const heap_header *block, const block_type *b, uint64_t offset) {
    return !is_single(block, b) || b->open || offset < b->size;
}

/* The part at this offset: "q->head", "table[3].next", "*counter". The type is that of the part. */
static uint64_t name_part(const heap_header *block, const block_type *b, uint64_t offset,
                          char *name, size_t size, Dwarf_Die *type) {
    char part[NAME_SIZE] = "", whole[NAME_SIZE];
    bool single = is_single(block, b);
    snprintf(whole, sizeof whole, "%s", name);
    if (!is_in_typed(block, b, offset)) { /* what follows a struct, in one block with it */
        snprintf(name, size, "%s + %" PRIu64, whole, offset);
        return offset;
    }
    *type = b->type;
    uint64_t within = single ? offset : offset % b->size;
    uint64_t inside = type_descend(type, within, &goal, part, sizeof part);
    if (!single) {
        snprintf(name, size, "%s[%" PRIu64 "]%s", whole, offset / b->size, part);
    } else if (*part == '.' && b->variable) {
        snprintf(name, size, "%s->%s", whole, part + 1);
    } else {
        snprintf(name, size, "%s%s%s", *part || !b->variable ? "" : "*", whole, part);
    }
    return inside;
}

/* "block of 24 bytes from queue.c:31": one whose type the line that allocates it does not have. */
static void name_untyped(const heap_header *block, char *name, size_t size) {
    char place[NAME_SIZE];
    uintptr_t origin = location_address(block_origin(symbols, block));
    bool known = symbolizer_place(symbols, origin, place, sizeof place);
    snprintf(name, size, "block of %u byte%s%s%s", block->size, block->size == 1 ? "" : "s",
             known ? " from " : "", known ? place : "");
}

static void name_whole_block(const heap_header *block, char *name, size_t size) {
    if (!name_typed(block, name, size)) {
        name_untyped(block, name, size);
    }
}

/* The block at this address; the object of a wide block is its header's. */
static const heap_header *block_at(uintptr_t address, uintptr_t *offset) {
    uintptr_t header = address & ~(uintptr_t)(HEAP_ALIGNMENT - 1);
    const heap_header *block = heap_block(header + sizeof *block);
    *offset = 0;
    if (!block) {
        block = heap_contains(address) ? heap_before(address) : NULL;
        *offset = block ? address - heap_start_of(block) : 0;
    }
    return block;
}

static bool name_block(uintptr_t address, char *name, size_t size) {
    uintptr_t offset;
    const heap_header *block = block_at(address, &offset);
    if (!block) {
        return false;
    }
    const block_type *b = offset < block->size ? name_typed(block, name, size) : NULL;
    Dwarf_Die type;
    if (address < heap_start_of(block)) {
        char whole[NAME_SIZE];
        name_whole_block(block, whole, sizeof whole);
        snprintf(name, size, "%s%.*s", b ? "block " : "", NAME_SIZE - 8, whole);
    } else if (b) {
        name_part(block, b, offset, name, size, &type);
    } else {
        name_untyped(block, name, size);
        size_t used = strlen(name);
        if (offset) {
            snprintf(name + used, size - used, " + %" PRIuPTR, offset);
        }
    }
    return true;
}

/* ---- locals ---- */

/* The local that was named last: a step may end its function, but its access is described
 * afterwards. */
static local_variable latest;

bool address_is_local(uintptr_t address) {
    return address - space.stacks_low < space.stacks_size;
}

/* "i", "T1's job.next", "T1's i#2" of the second call of a function that calls itself. */
static void name_found(const local_variable *v, const runtime_thread *owner, uintptr_t address,
                       char *name, size_t size, bool parts) {
    local_variable found = *v;
    char thread[NAME_SIZE] = "", number[16] = "";
    Dwarf_Die type;
    if (owner->number != RUNTIME_MAIN && naming != NAMES_BARE) {
        threads_name(owner->number, thread, sizeof thread);
    }
    if (v->depth && naming == NAMES_FULL) {
        snprintf(number, sizeof number, "#%u", v->depth + 1);
    }
    snprintf(name, size, "%s%s%s%s", thread, *thread ? "'s " : "", dwarf_diename(&found.die),
             number);
    if (parts && type_of_die(&found.die, &type)) {
        type_descend(&type, address - v->address, &goal, name, size);
    }
}

static bool name_local(uintptr_t address, char *name, size_t size, local_variable *v) {
    const runtime_thread *owner = &runtime.threads[space_stack_owner(address)];
    *v = (local_variable){0};
    bool found = locals_find(symbols, owner, address, v);
    if (found) {
        name_found(v, owner, address, name, size, true);
    }
    return found;
}

/* By the thread alone. */
static void name_stack(uintptr_t address, char *name, size_t size) {
    char thread[NAME_SIZE];
    const runtime_thread *owner = &runtime.threads[space_stack_owner(address)];
    bool inside = address - owner->own_low < owner->own_size;
    if (threads_name(owner->number, thread, sizeof thread)) {
        snprintf(name, size, "%s of %s", inside ? "a local" : "no local", thread);
    }
}

static bool part_of_latest(uintptr_t address, Dwarf_Die *type, uint64_t *inside) {
    char name[NAME_SIZE] = "";
    bool found = address - latest.address < latest.size && type_of_die(&latest.die, type);
    *inside = found ? type_descend(type, address - latest.address, &goal, name, sizeof name) : 0;
    return found;
}

static bool part_of_block(uintptr_t address, Dwarf_Die *type, uint64_t *inside) {
    const heap_header *block = heap_contains(address) ? heap_before(address) : NULL;
    uintptr_t offset = block ? address - heap_start_of(block) : 0;
    char name[NAME_SIZE];
    const block_type *b =
        block && offset < block->size ? name_typed(block, name, sizeof name) : NULL;
    bool found = b && is_in_typed(block, b, offset);
    *inside = found ? name_part(block, b, offset, name, sizeof name, type) : 0;
    return found;
}

bool address_part(uintptr_t address, uint64_t size, Dwarf_Die *type, uint64_t *inside) {
    goal = (type_goal){.size = size};
    bool found = address_is_local(address)
                     ? part_of_latest(address, type, inside)
                     : symbolizer_part(symbols, address, &goal, type, inside) ||
                           part_of_block(address, type, inside);
    goal = (type_goal){0};
    return found;
}

/* A literal, most likely: constant, and no variable. */
static bool is_constant_text(uintptr_t value) {
    Dwarf_Die type;
    uint64_t inside;
    return goal.known && type_is_character(&goal.type) &&
           value - space.image_low < space.image_size &&
           value - space.globals_low >= space.globals_size &&
           !symbolizer_part(symbols, value, &goal, &type, &inside);
}

/* "puts": one that heddle has in its place, or libc's own. */
static const char *name_of_libc(uint64_t address) {
    Dl_info info;
    const void *place = (const void *)(uintptr_t)address;
    const char *replaced = symbols_name(place);
    bool exact = !replaced && dladdr(place, &info) && info.dli_saddr == place;
    return exact ? info.dli_sname : replaced;
}

static void name_pointed(uint64_t value, char *words, size_t size) {
    char name[NAME_SIZE];
    local_variable local;
    const heap_header *block = heap_contains(value) ? heap_before(value) : NULL;
    if (!value) {
        snprintf(words, size, "NULL");
    } else if (address_is_local(value) && name_local(value, name, sizeof name, &local)) {
        snprintf(words, size, "&%s", name);
    } else if (address_is_local(value)) {
        name_stack(value, words, size);
    } else if (block && heap_start_of(block) == value) {
        name_whole_block(block, words, size);
    } else if (block && value - heap_start_of(block) < block->size) {
        name_block(value, name, sizeof name);
        snprintf(words, size, "&%s", name);
    } else if (is_constant_text(value)) {
        quotation((const char *)value, space.image_low + space.image_size - value, words, size);
    } else if (!block && symbolizer_variable(symbols, value, &goal, name, sizeof name)) {
        snprintf(words, size, "&%s", name);
    } else if (name_of_libc(value)) {
        snprintf(words, size, "&%s", name_of_libc(value));
    } else {
        snprintf(words, size, "0x%" PRIx64, value);
    }
}

void address_describe_pointer(uint64_t value, Dwarf_Die *type, char *words, size_t size) {
    goal = (type_goal){.pointer = true};
    goal.known = type && type_of_die(type, &goal.type);
    name_pointed(value, words, size);
    goal = (type_goal){0};
}

/* A gap is named after the variable that was meant, most likely. */
static bool name_gap(uintptr_t address, char *name, size_t size) {
    char variable[NAME_SIZE];
    uintptr_t low;
    size_t variable_size;
    if (address - space.globals_low >= space.globals_size || space_holds(address, 1) ||
        !symbolizer_nearest(symbols, address, variable, sizeof variable, &low, &variable_size)) {
        return false;
    }
    snprintf(name, size, "%s%+" PRIdPTR, variable, (intptr_t)(address - low));
    return true;
}

static void name_address(uintptr_t address, char *name, size_t size) {
    const char *of_libc;
    if (name_gap(address, name, size) || symbolizer_variable(symbols, address, &goal, name, size)) {
        return;
    }
    if (name_block(address, name, size)) {
        return;
    }
    if (address_is_local(address)) {
        if (!name_local(address, name, size, &latest)) {
            name_stack(address, name, size);
        }
    } else if ((of_libc = name_of_libc(address))) {
        snprintf(name, size, "%s", of_libc); /* stderr */
    } else {
        snprintf(name, size, "0x%" PRIxPTR, address);
    }
}

void address_name_object(uint32_t object, uint8_t bytes, uint32_t count, enum address_naming wanted,
                         char *name, size_t size) {
    uintptr_t address = space_object_touched(object);
    if (bytes && !sync_by_object(object)) {
        address = space_object_address(object) + (unsigned)__builtin_ctz(bytes);
    }
    name[0] = '\0';
    if (!address) {
        return;
    }
    naming = wanted;
    goal = (type_goal){.size = count};
    name_address(address, name, size);
    goal = (type_goal){0};
    naming = NAMES_FULL;
    char *inside = strstr(name, sync_by_object(object) ? ".__" : ATOMIC_FLAG_MEMBER);
    if (inside) {
        *inside = '\0'; /* a mutex, not its first member */
    }
}

/* The end of a local is two steps (runtime/kernel/frame.c). The second is that of the frame, or of
 * the stack of a thread that has left all functions. */
static bool name_frame(uintptr_t address, char *name, size_t size) {
    const runtime_thread *owner = &runtime.threads[space_stack_owner(address)];
    char thread[NAME_SIZE];
    if (address >= owner->left || !threads_name(owner->number, thread, sizeof thread)) {
        return false;
    }
    bool stack = owner->left >= owner->tls;
    snprintf(name, size, stack ? "the stack of %s" : "a frame of %s", thread);
    return true;
}

static void name_whole_local(uintptr_t address, char *name, size_t size) {
    local_variable v;
    if (name_frame(address, name, size)) {
        return;
    }
    if (name_local(address, name, size, &v)) {
        name_found(&v, &runtime.threads[space_stack_owner(address)], v.address, name, size, false);
    } else {
        name_stack(address, name, size);
    }
}

bool address_name_whole(uintptr_t address, char *name, size_t size) {
    uintptr_t offset;
    const heap_header *block = block_at(address, &offset);
    if (block) {
        name_whole_block(block, name, size);
    } else if (address_is_local(address)) {
        name_whole_local(address, name, size);
    }
    return block || address_is_local(address);
}

void address_name_open(symbolizer *s) {
    block_type_forget();
    block_origin_forget();
    symbols = s;
}
