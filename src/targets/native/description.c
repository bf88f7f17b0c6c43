#include "targets/native/description.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "targets/native/block_type.h"
#include "targets/native/locals.h"
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

/* How much of a name tells things of the same name apart. Races on blocks that different threads
 * have allocated at one place are one. */
static enum { NAMES_FULL, NAMES_OF_RACES, NAMES_BARE } naming;

/* The same races turn up in execution after execution, and to find the name of a local takes longer
 * than an execution: texts are kept. */
typedef struct known_race {
    race_report report;
    char text[5 * NAME_SIZE + 64];
} known_race;

enum { KNOWN_RACES = 64 };
static known_race known_races[KNOWN_RACES];

void description_open(symbolizer *s) {
    block_type_forget();
    memset(known_races, 0, sizeof known_races);
    symbols = s;
}

void description_of_thread(target *t, uint32_t thread, FILE *out) {
    (void)t;
    threads_describe(thread, out);
}

void description_of_role(target *t, uint32_t thread, FILE *out) {
    (void)t;
    const runtime_thread *of = &runtime.threads[thread];
    uintptr_t start;
    memcpy(&start, &of->start, sizeof start);
    const char *function =
        thread != RUNTIME_MAIN && start ? symbolizer_function(symbols, start) : NULL;
    fputs(of->name[0] ? of->name : function ? function : "", out);
}

uint32_t description_of_stack(target *t, uint32_t thread, uint32_t *locations, uint32_t most) {
    (void)t;
    return locals_stack(symbols, &runtime.threads[thread], locations, most);
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
    if (!b || block->size < b->size) {
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

/* The part at this offset: "q->head", "table[3].next", "*counter". The type is that of the part. */
static uint64_t name_part(const heap_header *block, const block_type *b, uint64_t offset,
                          char *name, size_t size, Dwarf_Die *type) {
    char part[NAME_SIZE] = "", whole[NAME_SIZE];
    bool single = block->size / b->size == 1 || block->size % b->size != 0;
    snprintf(whole, sizeof whole, "%s", name);
    if (single && offset >= b->size) { /* what follows a struct, in one block with it */
        snprintf(name, size, "%s + %" PRIu64, whole, offset);
        return offset;
    }
    *type = b->type;
    uint64_t inside = type_descend(type, offset % b->size, part, sizeof part);
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
    bool known = description_of_place(location_address(block->allocated), place, sizeof place);
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
    const heap_header *block = heap_block(address + sizeof *block);
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

/* The one that was named last: a step may end its function, but what it has read or written there
 * is described afterwards. */
static local_variable latest;

static bool is_in_stack(uintptr_t address) {
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
        type_descend(&type, address - v->address, name, size);
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

static bool type_of_latest(uintptr_t address, Dwarf_Die *type) {
    char name[NAME_SIZE] = "";
    return address - latest.address < latest.size && type_of_die(&latest.die, type) &&
           type_descend(type, address - latest.address, name, sizeof name) == 0;
}

/* The type of what begins at this address. */
static bool type_at(uintptr_t address, Dwarf_Die *type) {
    if (is_in_stack(address)) {
        return type_of_latest(address, type);
    }
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
    local_variable local;
    const heap_header *block = heap_contains(value) ? heap_before(value) : NULL;
    if (!value) {
        snprintf(words, size, "NULL");
    } else if (is_in_stack(value) && name_local(value, name, sizeof name, &local)) {
        snprintf(words, size, "&%s", name);
    } else if (is_in_stack(value)) {
        name_stack(value, words, size);
    } else if (block && heap_start_of(block) == value) {
        name_whole_block(block, words, size);
    } else if (block && value - heap_start_of(block) < block->size) {
        name_block(value, name, sizeof name);
        snprintf(words, size, "&%s", name);
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
    if (is_in_stack(address)) {
        if (!name_local(address, name, size, &latest)) {
            name_stack(address, name, size);
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

void description_of_whole(target *t, uint32_t object, FILE *out) {
    char name[NAME_SIZE] = "";
    uintptr_t address = space_object_touched(object & OBJECT_NUMBER_MASK), offset;
    const heap_header *block = block_at(address, &offset);
    if (block) {
        name_whole_block(block, name, sizeof name);
    } else if (is_in_stack(address)) {
        name_whole_local(address, name, sizeof name);
    } else {
        description_of_object(t, object, out);
    }
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

/* A pointer to a block has the name of the variable that got its address first: that one's own
 * value would be "q -> q". */
static void tell_apart(uint32_t object, uint8_t bytes, char *words, size_t size) {
    char name[NAME_SIZE];
    name_object(object, bytes, name, sizeof name);
    if (strcmp(name, words) == 0) {
        snprintf(words, size, "its block");
    }
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
        if (!is_in_stack(address)) { /* whose names last */
            tell_apart(a.object, a.bytes, words, sizeof words);
        }
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
    naming = NAMES_BARE;
    name_object(r->object, r->bytes, name, size);
    naming = NAMES_FULL;
}

static void describe_race(const race_report *r, char *text, size_t size) {
    char variable[NAME_SIZE], here[NAME_SIZE], there[NAME_SIZE], one[NAME_SIZE], other[NAME_SIZE];
    naming = NAMES_OF_RACES;
    name_object(r->object, r->bytes, variable, sizeof variable);
    naming = NAMES_FULL;
    name_place(r->location, here, sizeof here);
    name_place(r->other_location, there, sizeof there);
    threads_name(r->thread, one, sizeof one);
    threads_name(r->other_thread, other, sizeof other);
    snprintf(text, size, "data race on %s: %s by %s at %s, %s by %s at %s", variable,
             race_access_word(r), one, here, race_other_word(r), other, there);
}

const char *description_of_race(const race_report *r) {
    known_race *known = &known_races[bytes_checksum(r, sizeof *r) % KNOWN_RACES];
    if (memcmp(&known->report, r, sizeof *r) != 0 || !known->text[0]) {
        describe_race(r, known->text, sizeof known->text);
        known->report = *r;
    }
    return known->text;
}
