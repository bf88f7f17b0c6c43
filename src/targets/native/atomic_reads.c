#include "targets/native/atomic_reads.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/native/lines.h"

/* One announcement of a read: its place in the source, and how many bytes it reads. */
typedef struct read_place {
    uint32_t function; /* a hash of its label */
    uint32_t file, line, column, size;
} read_place;

typedef struct read_call {
    read_place place;
    uint32_t number; /* among the announcements of reads in the file */
    bool is_volatile;
} read_call;

typedef VECTOR(read_call) read_list;

typedef struct reader {
    read_place place;
    read_list calls;
} reader;

/* ---- announcements ---- */

static uint32_t hash_label(const char *line) {
    uint64_t hash = HASH_INDEX_SEED;
    for (; *line && *line != ':'; line++) {
        hash = hash_index_mix(hash, (uint8_t)*line);
    }
    return hash_index_fold(hash);
}

/* The number of bytes that a callback for reads announces; 0: the line calls none. */
static uint32_t read_size(const char *line, bool *is_volatile) {
    const char *text = line + strspn(line, " \t");
    if (!text_starts(text, "call")) {
        return 0;
    }
    text += strcspn(text, " \t");
    text += strspn(text, " \t");
    *is_volatile = text_starts(text, "__tsan_volatile_read");
    unsigned size = 0;
    if (sscanf(text, *is_volatile ? "__tsan_volatile_read%u" : "__tsan_read%u", &size) != 1 ||
        size > sizeof(uint64_t)) { /* neither a pointer nor an index is larger */
        return 0;
    }
    return size;
}

static void visit(void *context, char *line) {
    reader *r = context;
    const char *text = line + strspn(line, " \t");
    bool is_volatile;
    if (text == line && *line != '.' && strchr(line, ':')) {
        r->place.function = hash_label(line);
    } else if (text_starts(text, ".loc\t") || text_starts(text, ".loc ")) {
        sscanf(text, ".loc %u %u %u", &r->place.file, &r->place.line, &r->place.column);
    } else if ((r->place.size = read_size(line, &is_volatile))) {
        read_call call = {.place = r->place, .is_volatile = is_volatile, .number = r->calls.count};
        vector_push(&r->calls, call);
    }
}

static int compare_places(const read_call *a, const read_call *b) {
    return memcmp(&a->place, &b->place, sizeof a->place);
}

static int compare_calls(const void *a, const void *b) {
    const read_call *left = a, *right = b;
    int order = compare_places(left, right);
    return order ? order : left->number < right->number ? -1 : left->number > right->number;
}

static bool read_calls(const char *path, read_list *calls) {
    FILE *file = fopen(path, "r");
    reader r = {0};
    if (file) {
        lines_read(file, visit, &r);
        fclose(file);
    }
    if (r.calls.count) {
        qsort(r.calls.items, r.calls.count, sizeof *r.calls.items, compare_calls);
    }
    *calls = (read_list){r.calls.items, r.calls.count, r.calls.capacity};
    return file != NULL;
}

/* ---- comparison ---- */

/* The calls from `first` on that have its place. */
static uint32_t same_place(const read_list *l, uint32_t first) {
    uint32_t count = 1;
    while (first + count < l->count &&
           compare_places(&vector_at(l, first), &vector_at(l, first + count)) == 0) {
        count++;
    }
    return count;
}

/* Calls of the same place correspond by their order. If their numbers differ, as where gcc has read
 * an index twice, only what holds for all of them counts. */
static bool was_made_volatile(const read_list *with, uint32_t first, uint32_t with_count,
                              uint32_t at, uint32_t count) {
    if (count == with_count) {
        return vector_at(with, first + at).is_volatile;
    }
    bool all = true;
    for (uint32_t i = 0; i < with_count; i++) {
        all = all && vector_at(with, first + i).is_volatile;
    }
    return all;
}

typedef VECTOR(bool) marks;

/* Marks the reads of `calls` that are volatile ones in `with`, by their number. */
static bool find_atomic(const read_list *calls, const read_list *with, marks *atomic) {
    bool any = false;
    uint32_t other = 0;
    vector_resize(atomic, calls->count);
    for (uint32_t i = 0, count; i < calls->count; i += count) {
        count = same_place(calls, i);
        while (other < with->count &&
               compare_places(&vector_at(with, other), &vector_at(calls, i)) < 0) {
            other++;
        }
        bool found = other < with->count &&
                     compare_places(&vector_at(with, other), &vector_at(calls, i)) == 0;
        uint32_t with_count = found ? same_place(with, other) : 0;
        for (uint32_t k = 0; k < count; k++) {
            const read_call *call = &vector_at(calls, i + k);
            bool is = found && was_made_volatile(with, other, with_count, k, count);
            vector_at(atomic, call->number) = is;
            any = any || is;
        }
    }
    return any;
}

/* ---- editing ---- */

typedef struct editor {
    line_editor base;
    marks atomic;
    uint32_t seen;
} editor;

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    bool is_volatile;
    uint32_t size = line ? read_size(line, &is_volatile) : 0;
    if (size && vector_at(&e->atomic, e->seen++)) {
        fprintf(base->out, "\tmovl\t$%d, %%esi\n\tcall\t__tsan_atomic%u_load@PLT\n",
                __ATOMIC_SEQ_CST, size * 8);
        base->changed = true;
    } else if (line) {
        fputs(line, base->out);
    } else {
        CHECK(e->seen == e->atomic.count);
    }
}

bool atomic_reads_edit(const char *assembly, const char *with_volatile) {
    read_list calls = {0}, with = {0};
    editor e = {.base.edit = edit};
    bool good = read_calls(assembly, &calls) && read_calls(with_volatile, &with);
    if (good && find_atomic(&calls, &with, &e.atomic)) {
        good = lines_edit(&e.base, assembly);
    }
    vector_free(&calls);
    vector_free(&with);
    vector_free(&e.atomic);
    return good;
}

/* ---- atomic types ---- */

#ifdef __x86_64__
enum { CALLS_ARE_INSERTED = true };
#else
enum { CALLS_ARE_INSERTED = false };
#endif

typedef struct finder {
    bool in_table, tag, found;
} finder;

/* DW_TAG_atomic_type in the table of abbreviations: attributes have the same numbers, but only
 * after a tag comes a single byte. */
static void look(void *context, char *line) {
    finder *f = context;
    const char *text = line + strspn(line, " \t");
    if (text_starts(text, ".section")) {
        f->in_table = strstr(text, ".debug_abbrev") != NULL;
    }
    f->found = f->found || (f->in_table && f->tag && text_starts(text, ".byte"));
    f->tag = text_starts(text, ".uleb128 0x47");
}

bool atomic_reads_possible(const char *assembly) {
    finder f = {0};
    FILE *file = CALLS_ARE_INSERTED ? fopen(assembly, "r") : NULL;
    if (file) {
        lines_read(file, look, &f);
        fclose(file);
    }
    return f.found;
}
