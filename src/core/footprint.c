#include "core/footprint.h"

#include <string.h>

_Thread_local struct footprint_table footprint_table;

typedef struct wanted_set {
    const memory_access *accesses;
    uint32_t count;
} wanted_set;

static uint32_t set_hash(wanted_set wanted) {
    uint64_t hash = HASH_INDEX_SEED;
    for (uint32_t i = 0; i < wanted.count; i++) {
        hash = hash_index_mix(hash, footprint_single(wanted.accesses[i]));
    }
    return hash_index_fold(hash);
}

static bool is_wanted(const void *context, uint32_t number) {
    const wanted_set *wanted = context;
    const footprint_set *set = &vector_at(&footprint_table.sets, number);
    if (set->count != wanted->count) {
        return false;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (footprint_single(vector_at(&footprint_table.accesses, set->start + i)) !=
            footprint_single(wanted->accesses[i])) {
            return false;
        }
    }
    return true;
}

static footprint set_add(const memory_access *accesses, uint32_t count) {
    footprint_set set = {.word = FOOTPRINT_SET_BIT | footprint_table.sets.count,
                         .start = footprint_table.accesses.count,
                         .count = count};
    for (uint32_t i = 0; i < count; i++) {
        set.word |= (footprint)1 << (FOOTPRINT_OBJECTS_SHIFT + (accesses[i].object & 15));
        set.word |= accesses[i].bytes ? 0 : FOOTPRINT_RECEIVE_BIT;
        if ((accesses[i].mode & ACCESS_SEND) == ACCESS_SEND && !(set.word & FOOTPRINT_SEND_BIT)) {
            set.word |= FOOTPRINT_SEND_BIT;
            set.mailbox = accesses[i].object;
        }
        vector_push(&footprint_table.accesses, accesses[i]);
    }
    vector_push(&footprint_table.sets, set);
    return set.word;
}

static footprint set_intern(const memory_access *accesses, uint32_t count) {
    wanted_set wanted = {accesses, count};
    uint32_t hash = set_hash(wanted);
    uint32_t number = hash_index_find(&footprint_table.numbers, hash, is_wanted, &wanted);
    if (number != HASH_INDEX_NONE) {
        return vector_at(&footprint_table.sets, number).word;
    }
    hash_index_add(&footprint_table.numbers, hash, footprint_table.sets.count);
    return set_add(accesses, count);
}

static uint64_t sort_key(memory_access a) {
    return (uint64_t)a.object << 8 | a.mode;
}

/* Where the run of ascending accesses that begins at `from` ends. */
static uint32_t run_end(const memory_access *accesses, uint32_t from, uint32_t count) {
    while (++from < count && sort_key(accesses[from - 1]) <= sort_key(accesses[from])) {
    }
    return from < count ? from : count;
}

static void merge(const memory_access *low, const memory_access *middle, const memory_access *high,
                  memory_access *to) {
    const memory_access *a = low, *b = middle;
    while (a < middle || b < high) {
        bool first = b == high || (a < middle && sort_key(*a) <= sort_key(*b));
        *to++ = first ? *a++ : *b++;
    }
}

/* Merges runs, two at a time: accesses to ranges of memory form as many runs, usually one. */
static void sort(uint32_t count) {
    memory_access **items = &footprint_table.scratch.items;
    while (run_end(*items, 0, count) < count) {
        vector_resize(&footprint_table.merged, count);
        for (uint32_t low = 0, middle, high; low < count; low = high) {
            middle = run_end(*items, low, count);
            high = run_end(*items, middle, count);
            merge(*items + low, *items + middle, *items + high, footprint_table.merged.items + low);
        }
        memcpy(*items, footprint_table.merged.items, count * sizeof **items);
    }
}

/* Into footprint_table.scratch: sorted by object. Accesses of one object with the same mode are
 * merged, so an object appears at most once per distinct mode: bytes read and bytes written stay
 * separate. */
static void normalise(const memory_access *accesses, uint32_t count) {
    vector_resize(&footprint_table.scratch, count);
    memory_access *items = footprint_table.scratch.items;
    memcpy(items, accesses, count * sizeof *items);
    sort(count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(items[i].mode);
        if (kept && sort_key(items[kept - 1]) == sort_key(items[i])) {
            items[kept - 1].bytes |= items[i].bytes;
        } else {
            items[kept++] = items[i];
        }
    }
    footprint_table.scratch.count = kept;
}

footprint footprint_of(const memory_access *accesses, uint32_t count) {
    if (count == 0) {
        return FOOTPRINT_EMPTY;
    }
    if (count == 1) {
        CHECK(accesses[0].mode);
        return footprint_single(accesses[0]);
    }
    normalise(accesses, count);
    if (footprint_table.scratch.count == 1) {
        return footprint_single(vector_at(&footprint_table.scratch, 0));
    }
    return set_intern(footprint_table.scratch.items, footprint_table.scratch.count);
}

static bool accesses_conflict(const memory_access *a, const memory_access *b) {
    return (a->bytes & b->bytes) && ((a->mode | b->mode) & ACCESS_WRITE);
}

bool footprint_conflict_sets(footprint a, footprint b) {
    return footprint_any_pair(a, b, accesses_conflict);
}

void footprint_table_clear(void) {
    vector_free(&footprint_table.accesses);
    vector_free(&footprint_table.sets);
    hash_index_free(&footprint_table.numbers);
    vector_free(&footprint_table.scratch);
    vector_free(&footprint_table.merged);
    vector_free(&footprint_table.subset);
}
