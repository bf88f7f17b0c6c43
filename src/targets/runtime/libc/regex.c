#define _GNU_SOURCE
/* Regular expressions. What the program has in its regex_t is a block of its heap with the pattern
 * and the flags, so that it is the same in every execution, and can leak and be used after it was
 * freed. What libc makes of a pattern is kept here, once for all executions. */
#include <regex.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"

/* In the block of the program. */
typedef struct written {
    size_t size; /* of the pattern, with its end */
    int flags;
    char pattern[];
} written;

typedef struct compiled {
    char *pattern;
    int flags, error;
    regex_t expression;
} compiled;

static VECTOR(compiled) known;

static compiled *find(const char *pattern, int flags) {
    for (uint32_t i = 0; i < known.count; i++) {
        compiled *c = &vector_at(&known, i);
        if (c->flags == flags && strcmp(c->pattern, pattern) == 0) {
            return c;
        }
    }
    size_t size = strlen(pattern) + 1;
    compiled fresh = {.pattern = memcpy(memory_resize(NULL, 0, size), pattern, size),
                      .flags = flags};
    fresh.error = regcomp(&fresh.expression, pattern, flags);
    vector_push(&known, fresh);
    CHECK(strlen(vector_at(&known, known.count - 1).pattern) + 1 == size);
    return &vector_at(&known, known.count - 1);
}

int heddle_regcomp(regex_t *place, const char *pattern, int flags) {
    reads_string(pattern, HERE);
    size_t size = strlen(pattern) + 1;
    const compiled *c = find(pattern, flags);
    if (c->error) {
        return c->error;
    }
    written *block = heap_allocate(sizeof *block + size, HERE);
    if (!block) {
        return REG_ESPACE;
    }
    undo_write((uintptr_t)block, sizeof *block + size);
    block->size = size;
    block->flags = flags;
    memcpy(block->pattern, pattern, size);
    writes(place, sizeof *place, HERE);
    memset(place, 0, sizeof *place);
    place->re_nsub = c->expression.re_nsub;
    place->buffer = (void *)block;
    return 0;
}

int heddle_regexec(const regex_t *place, const char *text, size_t count, regmatch_t *matches,
                   int flags) {
    const void *here = HERE;
    reads(place, sizeof *place, here);
    const written *block = (const void *)place->buffer;
    reads(block, sizeof *block, here);
    reads(block, sizeof *block + block->size, here);
    regmatch_t within = {0, 0};
    if (flags & REG_STARTEND) {
        reads(matches, sizeof *matches, here);
        within = matches[0];
    }
    if (flags & REG_STARTEND) {
        reads(text, (size_t)within.rm_eo, here);
    } else {
        reads_string(text, here);
    }
    const compiled *c = find(block->pattern, block->flags);
    CHECK(!c->error); /* or there would be no such block */
    int result = regexec(&c->expression, text, 0, &within, flags);
    if (result != 0 || !count || (block->flags & REG_NOSUB)) {
        return result;
    }
    writes(matches, count * sizeof *matches, here);
    return regexec(&c->expression, text, count, matches, flags);
}

void heddle_regfree(regex_t *place) {
    modifies(place, sizeof *place, HERE);
    heap_free(place->buffer, HERE);
    undo_write((uintptr_t)place, sizeof *place);
    place->buffer = NULL;
}

size_t heddle_regerror(int error, const regex_t *place, char *to, size_t size) {
    char text[128];
    (void)place;
    size_t length = regerror(error, NULL, text, sizeof text);
    CHECK(length <= sizeof text);
    if (size) {
        size_t kept = length < size ? length : size;
        CHECK(kept && kept <= sizeof text);
        writes(to, kept, HERE);
        memcpy(to, text, kept);
        to[kept - 1] = '\0';
    }
    return length;
}
