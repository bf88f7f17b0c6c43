#include "targets/native/description.h"

#include <inttypes.h>
#include <string.h>

#include "targets/native/block_type.h"
#include "targets/native/types.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/actor.h"
#include "targets/runtime/sync/sync.h"

enum { NAME_SIZE = 160 };

static symbolizer *symbols;
static bool anonymous; /* blocks are called the same whoever allocated them: they are one race */

void description_open(symbolizer *s) {
    block_type_forget();
    symbols = s;
}

void description_of_thread(target *t, uint32_t thread, FILE *out) {
    (void)t;
    threads_describe(thread, out);
}

/* Which one it is of the blocks that its thread has allocated at the same place. */
static uint32_t number_of(const heap_header *block) {
    const runtime_thread *owner = &runtime.threads[block->allocating_thread];
    uint32_t number = 1;
    for (const heap_header *h = heap_next(owner, NULL); h && h != block; h = heap_next(owner, h)) {
        number += h->allocated == block->allocated;
    }
    return number;
}

/* "q", "T1's node#2": by the line that allocates it. */
static const block_type *name_typed(const heap_header *block, char *name, size_t size) {
    const block_type *b = block_type_find(symbols, location_address(block->allocated));
    char thread[NAME_SIZE] = "", number[16] = "";
    if (!b || block->size % b->size != 0) {
        return NULL;
    }
    if (block->allocating_thread != RUNTIME_MAIN && !anonymous) {
        threads_name(block->allocating_thread, thread, sizeof thread);
    }
    if (!anonymous && number_of(block) > 1) {
        snprintf(number, sizeof number, "#%u", number_of(block));
    }
    snprintf(name, size, "%s%s%s%s", thread, *thread ? "'s " : "", b->name, number);
    return b;
}

/* The part at this offset: "q->head", "table[3].next", "*counter". The type is that of the part. */
static uint64_t name_part(const heap_header *block, const block_type *b, uint64_t offset,
                          char *name, size_t size, Dwarf_Die *type) {
    char part[NAME_SIZE] = "", whole[NAME_SIZE];
    bool single = block->size == b->size;
    *type = b->type;
    uint64_t inside = type_descend(type, offset % b->size, part, sizeof part);
    snprintf(whole, sizeof whole, "%s", name);
    if (!single) {
        snprintf(name, size, "%s[%" PRIu64 "]%s", whole, offset / b->size, part);
    } else if (*part == '.' && b->variable) {
        snprintf(name, size, "%s->%s", whole, part + 1);
    } else {
        snprintf(name, size, "%s%s%s", *part || !b->variable ? "" : "*", whole, part);
    }
    return inside;
}

/* The object of a wide block is its header's. */
static bool name_block(uintptr_t address, char *name, size_t size) {
    const heap_header *block = heap_block(address + sizeof *block);
    if (block) {
        snprintf(name, size, "heap block of %u bytes", block->size);
        return true;
    }
    block = heap_contains(address) ? heap_before(address) : NULL;
    if (!block) {
        return false;
    }
    uintptr_t offset = address - heap_start_of(block);
    const block_type *b = offset < block->size ? name_typed(block, name, size) : NULL;
    Dwarf_Die type;
    if (b) {
        name_part(block, b, offset, name, size, &type);
    } else {
        snprintf(name, size, "heap block of %u bytes + %" PRIuPTR, block->size, offset);
    }
    return true;
}

/* The type of what begins at this address. */
static bool type_at(uintptr_t address, Dwarf_Die *type) {
    if (symbolizer_type(symbols, address, type)) {
        return true;
    }
    const heap_header *block = heap_contains(address) ? heap_before(address) : NULL;
    uintptr_t offset = block ? address - heap_start_of(block) : 0;
    char name[NAME_SIZE];
    const block_type *b =
        block && offset < block->size ? name_typed(block, name, sizeof name) : NULL;
    return b && name_part(block, b, offset, name, sizeof name, type) == 0;
}

/* NULL, the name of what it points to, or the address as such. */
static void describe_pointer(uint64_t value, char *words, size_t size) {
    char name[NAME_SIZE];
    const heap_header *block = heap_contains(value) ? heap_before(value) : NULL;
    if (!value) {
        snprintf(words, size, "NULL");
    } else if (block && heap_start_of(block) == value && name_typed(block, name, sizeof name)) {
        snprintf(words, size, "%s", name);
    } else if (!block && symbolizer_variable(symbols, value, name, sizeof name)) {
        snprintf(words, size, "&%s", name);
    } else {
        snprintf(words, size, "0x%" PRIx64, value);
    }
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
    if (name_gap(address, name, size) || symbolizer_variable(symbols, address, name, size)) {
        return;
    }
    if (name_block(address, name, size)) {
        return;
    }
    if (address - space.stacks_low < space.stacks_size) {
        char thread[NAME_SIZE];
        const runtime_thread *owner = &runtime.threads[space_stack_owner(address)];
        bool inside = address - owner->own_low < owner->own_size;
        if (threads_name(owner->number, thread, sizeof thread)) {
            snprintf(name, size, "%s of %s", inside ? "a local" : "no local", thread);
        }
    } else {
        snprintf(name, size, "0x%" PRIxPTR, address);
    }
}

/* A granule may hold several variables: name what the touched bytes belong to. */
static void name_object(uint32_t object, uint8_t bytes, char *name, size_t size) {
    uintptr_t address = space_object_touched(object);
    if (bytes && !sync_by_object(object)) {
        address = space_object_address(object) + (unsigned)__builtin_ctz(bytes);
    }
    name[0] = '\0';
    if (!address) {
        return;
    }
    name_address(address, name, size);
    char *inside = strstr(name, ".__"); /* a mutex, not its first member */
    if (sync_by_object(object) && inside) {
        *inside = '\0';
    }
}

void description_of_object(target *t, uint32_t object, FILE *out) {
    (void)t;
    char name[NAME_SIZE];
    uint32_t offset = object >> OBJECT_OFFSET_SHIFT;
    if (actor_describe(object, out) || hidden_describe(object, out) ||
        channels_describe(object, out)) {
        return;
    }
    uint8_t bytes = offset ? (uint8_t)(1u << (offset - 1)) : 0;
    name_object(object & OBJECT_NUMBER_MASK, bytes, name, sizeof name);
    fputs(name, out);
}

/* "hello": several characters of an array that were accessed at once. */
static bool describe_string(uint64_t value, uint32_t count, char *words, size_t size) {
    char text[sizeof value + 1] = {0};
    memcpy(text, &value, count);
    for (uint32_t i = 0; text[i]; i++) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"') {
            return false;
        }
    }
    snprintf(words, size, "\"%s\"", text);
    return true;
}

bool description_of_value(target *t, memory_access a, uint64_t value, FILE *out) {
    (void)t;
    char words[NAME_SIZE];
    uintptr_t address = space_object_address(a.object);
    if (!a.bytes || !address) {
        return false;
    }
    address += (unsigned)__builtin_ctz(a.bytes);
    Dwarf_Die type;
    uint32_t count = (uint32_t)__builtin_popcount(a.bytes);
    bool typed = type_at(address, &type), known = typed && type_size(&type) == count;
    if (typed && count > 1 && type_is_character(&type)) {
        known = describe_string(value, count, words, sizeof words);
    } else if (known && type_is_pointer(&type)) {
        describe_pointer(value, words, sizeof words);
    } else {
        known = known && type_describe_value(&type, value, words, sizeof words);
    }
    if (known) {
        fputs(words, out);
    }
    return known;
}

bool description_of_location(target *t, uint32_t location, const char **file, uint32_t *line) {
    (void)t;
    return symbolizer_line(symbols, location_address(location), file, line);
}

uint32_t description_of_column(target *t, uint32_t location) {
    (void)t;
    return symbolizer_column(symbols, location_address(location));
}

const char *description_of_function(target *t, uint32_t location) {
    (void)t;
    uintptr_t address = location_address(location);
    return address ? symbolizer_function(symbols, address - 1) : NULL;
}

bool description_of_place(uintptr_t address, char *place, size_t size) {
    const char *file;
    uint32_t line;
    bool known = symbolizer_line(symbols, address, &file, &line);
    if (known) {
        const char *slash = strrchr(file, '/');
        snprintf(place, size, "%s:%u", slash ? slash + 1 : file, line);
    }
    return known;
}

static void name_place(uint32_t location, char *place, size_t size) {
    if (!description_of_place(location_address(location), place, size)) {
        snprintf(place, size, "an unknown place");
    }
}

void description_of_raced(const race_report *r, char *name, size_t size) {
    anonymous = true;
    name_object(r->object, r->bytes, name, size);
    anonymous = false;
}

/* The same races turn up in execution after execution, so the text of each is made once. */
const char *description_of_race(const race_report *r) {
    static race_report last;
    static char text[5 * NAME_SIZE + 64];
    if (memcmp(&last, r, sizeof last) == 0 && text[0]) {
        return text;
    }
    char variable[NAME_SIZE], here[NAME_SIZE], there[NAME_SIZE], one[NAME_SIZE], other[NAME_SIZE];
    description_of_raced(r, variable, sizeof variable);
    name_place(r->location, here, sizeof here);
    name_place(r->other_location, there, sizeof there);
    threads_name(r->thread, one, sizeof one);
    threads_name(r->other_thread, other, sizeof other);
    snprintf(text, sizeof text, "data race on %s: %s by %s at %s, %s by %s at %s", variable,
             race_access_word(r), one, here, race_other_word(r), other, there);
    last = *r;
    return text;
}
