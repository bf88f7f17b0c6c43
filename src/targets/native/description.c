#include "targets/native/description.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "targets/native/address_name.h"
#include "targets/native/locals.h"
#include "targets/native/null_name.h"
#include "targets/native/quotation.h"
#include "targets/runtime/kernel/fault.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/libc/stream_locks.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/actor.h"
#include "targets/runtime/sync/annotation.h"
#include "targets/runtime/sync/named_semaphore.h"
#include "targets/runtime/sync/sync.h"

static symbolizer *symbols;

/* The same races occur in execution after execution, and finding the name of a local takes longer
 * than an execution: texts are cached. */
typedef struct known_race {
    race_report report;
    char text[5 * NAME_SIZE + 64];
} known_race;

enum { KNOWN_RACES = 64 };
static known_race known_races[KNOWN_RACES];

static void describe_null(uintptr_t address, uint32_t location, bool writes, char *words,
                          size_t size);

/* Objects in one granule are distinguished by where in it they begin. */
static void name_object(uint32_t object, enum address_naming naming, char *name, size_t size) {
    uint32_t offset = object >> OBJECT_OFFSET_SHIFT;
    uintptr_t address = space_object_touched(object & OBJECT_NUMBER_MASK);
    const char *named = named_semaphore_at(address);
    named = named ? named : stream_locks_name(address);
    if (named) {
        snprintf(name, size, "%s", named);
        return;
    }
    uint8_t bytes = offset ? (uint8_t)(1u << (offset - 1)) : 0;
    address_name_object(object & OBJECT_NUMBER_MASK, bytes, 0, naming, name, size);
}

static void name_misused(const sync_object *s, char *name, size_t size) {
    name_object(s->object, NAMES_OF_RACES, name, size);
}

void description_open(symbolizer *s) {
    address_name_open(s);
    fault_describe = s ? describe_null : NULL;
    sync_describe = s ? name_misused : NULL;
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

/* What it is the annotation of is named as its address is. */
static void describe_annotation(uint32_t object, FILE *out) {
    uintptr_t address;
    if (annotation_find(object, &address)) {
        fputs("annotation of ", out);
    }
}

void description_of_object(target *t, uint32_t object, FILE *out) {
    (void)t;
    char name[NAME_SIZE];
    if (actor_describe(object, out) || hidden_describe(object, out) ||
        channels_describe(object, out)) {
        return;
    }
    describe_annotation(object, out);
    name_object(object, NAMES_FULL, name, sizeof name);
    fputs(name, out);
}

static uint32_t count_of(uint8_t bytes) {
    return (uint32_t)__builtin_popcount(bytes);
}

void description_of_access(target *t, memory_access a, FILE *out) {
    (void)t;
    char name[NAME_SIZE];
    if (hidden_describe(a.object, out)) {
        return;
    }
    describe_annotation(a.object, out);
    address_name_object(a.object, a.bytes, count_of(a.bytes), NAMES_FULL, name, sizeof name);
    fputs(name, out);
}

void description_of_whole(target *t, uint32_t object, FILE *out) {
    char name[NAME_SIZE] = "";
    uintptr_t address = space_object_touched(object & OBJECT_NUMBER_MASK);
    if (!address_name_whole(address, name, sizeof name)) {
        description_of_object(t, object, out);
    }
    fputs(name, out);
}

/* "3, 2.5": several elements or members that were accessed at once, each by its own type. */
static bool describe_elements(uintptr_t address, uint64_t value, uint32_t count, char *words,
                              size_t size) {
    size_t used = 0;
    uint64_t each = 0;
    for (uint32_t done = 0; done < count && used < size; done += (uint32_t)each) {
        char one[NAME_SIZE];
        Dwarf_Die type;
        uint64_t inside, left = count - done;
        each = address_part(address + done, 1, &type, &inside) ? type_size(&type) : 0;
        if (!each || each > left || each == count || inside) {
            return false;
        }
        uint64_t element = value >> 8 * done & (UINT64_MAX >> (64 - 8 * each));
        if (type_is_pointer(&type) || !type_describe_value(&type, element, one, sizeof one)) {
            return false;
        }
        used += (size_t)snprintf(words + used, size - used, "%s%s", done ? ", " : "", one);
    }
    return true;
}

/* A pointer to a block has the name of the variable that got its address first: that one's own
 * value would be "q -> q". */
static void describe_pointer(memory_access a, Dwarf_Die *type, uint64_t value, char *words,
                             size_t size) {
    char name[NAME_SIZE];
    address_describe_pointer(value, type, words, size);
    if (address_is_local(space_object_address(a.object))) {
        return; /* whose names do not last */
    }
    address_name_object(a.object, a.bytes, count_of(a.bytes), NAMES_FULL, name, sizeof name);
    if (strcmp(name, words) == 0) {
        snprintf(words, size, "its block");
    }
}

static bool describe_thread(uint64_t value, char *words, size_t size) {
    const runtime_thread *t = threads_by_id((pthread_t)value);
    return t && threads_name(t->number, words, size);
}

static bool describe_typed(memory_access a, uintptr_t address, uint64_t value, FILE *out) {
    char words[NAME_SIZE];
    Dwarf_Die type;
    uint64_t inside;
    uint32_t count = count_of(a.bytes);
    bool known = address_part(address, count, &type, &inside);
    if (!known) {
        return false;
    }
    if (type_describe_fields(&type, inside, count, value, words, sizeof words)) {
        known = true;
    } else if (inside) {
        known = false;
    } else if (count > 1 && type_is_character(&type)) {
        known = quotation((const char *)&value, count, words, sizeof words);
    } else if (type_size(&type) != count) {
        known = describe_elements(address, value, count, words, sizeof words);
    } else if (type_is_pointer(&type)) {
        describe_pointer(a, &type, value, words, sizeof words);
    } else {
        known = (type_is_handle(&type) && describe_thread(value, words, sizeof words)) ||
                type_describe_value(&type, value, words, sizeof words);
    }
    if (known) {
        fputs(words, out);
    }
    return known;
}

bool description_of_value(target *t, memory_access a, uint64_t value, FILE *out) {
    (void)t;
    uintptr_t address = space_object_address(a.object);
    if (!a.bytes || !address) {
        return false;
    }
    address += (unsigned)__builtin_ctz(a.bytes);
    enum hidden_part part;
    if (!space_contains(address) && !hidden_find(a.object, &part)) {
        fputs("?", out); /* of a library */
        return true;
    }
    return describe_typed(a, address, value, out);
}

/* The only access, beside that to the header of the wide block that it lies in (kernel/access.c).
 */
static bool find_only(footprint f, memory_access *only) {
    for (uint32_t i = 0; footprint_count(f) == 2 && i < 2; i++) {
        memory_access a = footprint_access(f, i), other = footprint_access(f, 1 - i);
        uintptr_t address = space_object_address(a.object), header = 0;
        if (address && a.bytes) {
            header = (uintptr_t)heap_wide(address + (unsigned)__builtin_ctz(a.bytes));
        }
        if (header && header / 8 * 8 == space_object_address(other.object)) {
            *only = a;
            return a.mode != ACCESS_READ_WRITE;
        }
    }
    return false;
}

/* Memory without a type has numbers and, by their values, pointers. */
static bool describe_only(memory_access a, FILE *out) {
    uint64_t value = 0;
    uintptr_t address = space_object_address(a.object) + (unsigned)__builtin_ctz(a.bytes);
    uint32_t count = count_of(a.bytes);
    if (!space_readable(address, count)) {
        return false;
    }
    memcpy(&value, (const void *)address, count);
    if (describe_typed(a, address, value, out)) {
        return true;
    }
    if (count == sizeof value && space_contains(value)) {
        char words[NAME_SIZE];
        address_describe_pointer(value, NULL, words, sizeof words);
        fputs(words, out);
    } else if (count == sizeof value) {
        fprintf(out, "%" PRId64, (int64_t)value);
    }
    return count == sizeof value;
}

/* One piece of memory that is only read or only written: where it begins and its size. */
static bool find_piece(footprint f, uintptr_t *start, uintptr_t *size) {
    uintptr_t low = UINTPTR_MAX, high = 0;
    uint32_t bytes = 0;
    uint8_t modes = 0;
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        memory_access a = footprint_access(f, i);
        uintptr_t address = space_object_address(a.object);
        if (!a.bytes || !address) {
            return false;
        }
        uintptr_t first = address + (unsigned)__builtin_ctz(a.bytes);
        low = first < low ? first : low;
        high = first + count_of(a.bytes) > high ? first + count_of(a.bytes) : high;
        bytes += count_of(a.bytes);
        modes |= a.mode;
    }
    *start = low;
    *size = bytes;
    return bytes && high - low == bytes && modes != ACCESS_READ_WRITE && space_readable(low, bytes);
}

/* The text in this memory; nothing if the program does not see it. */
bool description_of_range(target *t, footprint f, FILE *out) {
    (void)t;
    Dwarf_Die type;
    uintptr_t address, size;
    uint64_t inside;
    char words[NAME_SIZE];
    enum hidden_part part;
    if (hidden_find(footprint_access(f, 0).object, &part)) {
        return true; /* heddle's own, such as the table of files */
    }
    memory_access only;
    if (find_only(f, &only)) {
        return describe_only(only, out);
    }
    bool known = find_piece(f, &address, &size) && address_part(address, 1, &type, &inside) &&
                 type_is_character(&type) &&
                 quotation((const char *)address, size, words, sizeof words);
    if (known) {
        fputs(words, out);
    }
    return known;
}

bool description_of_missing(target *t, uint32_t object, uint32_t location, bool writes, FILE *out) {
    (void)t;
    null_name n;
    uintptr_t address = space_object_touched(object & OBJECT_NUMBER_MASK);
    bool found = null_name_find(symbols, location_address(location), address, writes, &n);
    if (found) {
        fprintf(out, "%s (%s is NULL)", n.whole, n.pointer);
    }
    return found;
}

static void describe_null(uintptr_t address, uint32_t location, bool writes, char *words,
                          size_t size) {
    null_name n;
    if (null_name_find(symbols, location_address(location), address, writes, &n)) {
        snprintf(words, size, " (null pointer: %s in %s)", n.pointer, n.whole);
    }
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

static void name_place(uint32_t location, char *place, size_t size) {
    if (!symbolizer_place(symbols, location_address(location), place, size)) {
        snprintf(place, size, "an unknown place");
    }
}

void description_of_raced(const race_report *r, char *name, size_t size) {
    address_name_object(r->object, r->bytes, count_of(r->bytes), NAMES_BARE, name, size);
}

static void describe_race(const race_report *r, char *text, size_t size) {
    char variable[NAME_SIZE], here[NAME_SIZE], there[NAME_SIZE], one[NAME_SIZE], other[NAME_SIZE];
    address_name_object(r->object, r->bytes, count_of(r->bytes), NAMES_OF_RACES, variable,
                        sizeof variable);
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
