#include "targets/native/memory_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/block_origin.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/mapping_parts.h"
#include "targets/runtime/memory/validity.h"

enum { NAME_SIZE = 160, BLOCK_SIZE = 320 };

static symbolizer *names;

static void append_place(char *text, size_t size, const char *word, uint32_t thread,
                         uint32_t location) {
    char who[NAME_SIZE];
    char place[NAME_SIZE];
    size_t used = strlen(text);
    threads_name(thread, who, sizeof who);
    used += (size_t)snprintf(text + used, size - used, ", %s by %s", word, who);
    if (used < size && symbolizer_place(names, location_address(location), place, sizeof place)) {
        snprintf(text + used, size - used, " at %s", place);
    }
}

uint32_t memory_report_origin(const heap_header *block) {
    return block_origin(names, block);
}

void memory_report_block(const heap_header *block, char *text, size_t size) {
    const char *kind = block->mapped ? "mapping" : "heap block";
    snprintf(text, size, "a %s of %u byte%s", kind, block->size, block->size == 1 ? "" : "s");
    append_place(text, size, block->mapped ? "mapped" : "allocated", block->allocating_thread,
                 memory_report_origin(block));
    if (!block->live) {
        append_place(text, size, block->mapped ? "unmapped" : "freed", block->freeing_thread,
                     block->freed);
    }
}

/* What was done to the pages of a mapping that is still there. */
static void append_part(const heap_header *block, uintptr_t bad, char *text, size_t size) {
    const mapping_part *part = block->mapped && block->live ? mapping_parts_at(bad) : NULL;
    static const char *const words[] = {[MAPPING_READABLE] = "made readable",
                                        [MAPPING_PROTECTED] = "protected",
                                        [MAPPING_UNMAPPED] = "unmapped"};
    if (part) {
        append_place(text, size, words[part->state], part->thread, part->location);
        runtime_relate(words[part->state], part->thread, part->location);
    }
}

/* The error that follows is about this block. */
static void relate_block(const heap_header *block) {
    runtime_relate("allocated", block->allocating_thread, memory_report_origin(block));
    if (!block->live) {
        runtime_relate("freed", block->freeing_thread, block->freed);
    }
}

static const char *mode_word(uint8_t mode) {
    return mode == ACCESS_READ         ? "read"
           : mode == ACCESS_WRITE      ? "write"
           : mode == ACCESS_READ_WRITE ? "read and write"
                                       : "use";
}

static const char *kind_word(enum error_kind kind) {
    return kind == ERROR_USE_AFTER_FREE ? "use after free"
           : kind == ERROR_OVERFLOW     ? "out of bounds"
                                        : "invalid access";
}

static void start(const validity_report *r, char *text, size_t size) {
    snprintf(text, size, "%s: %s of %zu byte%s", kind_word(r->kind), mode_word(r->mode), r->size,
             r->size == 1 ? "" : "s");
}

/* Where the access is, seen from an object with these bounds. */
static void append_distance(const validity_report *r, uintptr_t low, size_t object_size, char *text,
                            size_t size) {
    char words[NAME_SIZE];
    uintptr_t end = low + object_size;
    if (r->address < low) {
        snprintf(words, sizeof words, ", %" PRIuPTR " byte%s before the start of ",
                 low - r->address, low - r->address == 1 ? "" : "s");
    } else if (r->address >= end && object_size) {
        snprintf(words, sizeof words, ", %" PRIuPTR " byte%s after the end of ", r->address - end,
                 r->address - end == 1 ? "" : "s");
    } else if (r->size > end - r->address || !object_size) {
        snprintf(words, sizeof words, " at offset %" PRIuPTR ", beyond the end of ",
                 r->address - low);
    } else {
        snprintf(words, sizeof words, " at offset %" PRIuPTR " of ", r->address - low);
    }
    text_add(text, size, words);
}

/* The block that was meant, most likely: the nearer one. */
static const heap_header *meant(uintptr_t bad) {
    const heap_header *before = heap_before(bad), *after = heap_after(bad);
    if (!before || !after || after == before) {
        return before ? before : after;
    }
    uintptr_t end = heap_start_of(before) + before->size;
    return bad < end || bad - end <= heap_start_of(after) - bad ? before : after;
}

static void describe_heap(const validity_report *r, char *text, size_t size) {
    char words[BLOCK_SIZE] = "the heap";
    const heap_header *block = meant(r->bad);
    if (!block) {
        text_add(text, size, " outside all heap blocks");
        return;
    }
    append_distance(r, heap_start_of(block), block->size, text, size);
    memory_report_block(block, words, sizeof words);
    relate_block(block);
    append_part(block, r->bad, words, sizeof words);
    text_add(text, size, words);
}

static void describe_global(const validity_report *r, char *text, size_t size) {
    char name[NAME_SIZE];
    uintptr_t low;
    size_t object_size;
    if (!symbolizer_nearest(names, r->bad, name, sizeof name, &low, &object_size)) {
        text_add(text, size, " between the variables of the program");
        return;
    }
    append_distance(r, low, object_size, text, size);
    text_add(text, size, "variable ");
    text_add(text, size, name);
}

static void describe_elsewhere(const validity_report *r, char *text, size_t size) {
    char words[NAME_SIZE], who[NAME_SIZE];
    switch (r->place) {
        case PLACE_STACK:
            threads_name(r->owner, who, sizeof who);
            snprintf(words, sizeof words, " of a local of %.40s whose function has returned", who);
            break;
        case PLACE_ABOVE:
            threads_name(r->owner, who, sizeof who);
            snprintf(words, sizeof words, ", beyond the first frame of the stack of %.40s", who);
            break;
        case PLACE_ENDED:
            threads_name(r->owner, who, sizeof who);
            snprintf(words, sizeof words, " of the stack of %.40s, which has ended", who);
            break;
        case PLACE_CONSTANT:
            snprintf(words, sizeof words, " at address 0x%" PRIxPTR ", in constant memory",
                     r->address);
            break;
        default:
            snprintf(words, sizeof words,
                     " at address 0x%" PRIxPTR ", which is not memory of the program", r->address);
    }
    text_add(text, size, words);
}

static void describe_free(const validity_report *r, char *text, size_t size) {
    char words[BLOCK_SIZE] = "";
    const heap_header *block = r->place == PLACE_HEAP ? heap_before(r->address) : NULL;
    snprintf(text, size, "%s%s of ", r->kind == ERROR_DOUBLE_FREE ? "double free: " : "",
             r->freeing);
    if (!block) {
        const char *what = r->place == PLACE_GLOBAL     ? "a variable"
                           : r->place == PLACE_STACK    ? "a local"
                           : r->place == PLACE_CONSTANT ? "constant memory"
                                                        : "memory";
        snprintf(words, sizeof words, "%s at address 0x%" PRIxPTR ", which is not a heap block",
                 what, r->address);
        text_add(text, size, words);
        return;
    }
    uintptr_t offset = r->address - heap_start_of(block);
    if (offset) {
        snprintf(words, sizeof words, "an address %" PRIuPTR " byte%s %s ",
                 offset < block->size ? offset : offset - block->size, offset == 1 ? "" : "s",
                 offset < block->size ? "inside" : "after the end of");
        text_add(text, size, words);
    }
    memory_report_block(block, words, sizeof words);
    text_add(text, size, words);
    relate_block(block);
}

static void describe(const validity_report *r, char *text, size_t size) {
    if (r->freeing) {
        describe_free(r, text, size);
        return;
    }
    start(r, text, size);
    switch (r->place) {
        case PLACE_HEAP: describe_heap(r, text, size); break;
        case PLACE_GLOBAL: describe_global(r, text, size); break;
        default: describe_elsewhere(r, text, size);
    }
}

void memory_report_open(symbolizer *symbolizer) {
    names = symbolizer;
    validity_describe = symbolizer ? describe : NULL;
}
