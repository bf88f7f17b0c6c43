#include "targets/runtime/kernel/spin_table.h"

#include <string.h>

#include "base/hash_index.h"
#include "base/vector.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

/* Beyond it no more local states are told apart: loops are then cut by --max-steps. */
enum { MOST_BYTES = 1 << 28 };

typedef struct local_state {
    uint64_t hash;
    size_t start;
    uint32_t size;
    uint32_t outcomes; /* the latest, + 1 */
} local_state;

static VECTOR(local_state) states;
static unsigned char *bytes;
static size_t bytes_used, bytes_room;
static VECTOR(spin_outcome) outcomes;
static VECTOR(spin_read) all_reads;
static hash_index numbers;

void spin_table_close(void) {
    vector_free(&states);
    vector_free(&outcomes);
    vector_free(&all_reads);
    bytes = memory_resize(bytes, bytes_room, 0);
    bytes_used = bytes_room = 0;
    hash_index_free(&numbers);
}

/* ---- local states ---- */

typedef struct state_head {
    uintptr_t resume, stack_pointer, frame_pointer;
    uint64_t time, random;
    uintptr_t heap_next;
    uint32_t thread, location;
    int error_number, kind;
} state_head;

_Static_assert(sizeof(state_head) % sizeof(uint64_t) == 0, "hash_words leaves nothing out");

static state_head head_of(const runtime_thread *t) {
    state_head h;
    memset(&h, 0, sizeof h);
    h.resume = t->context.resume;
    h.stack_pointer = t->context.stack_pointer;
    h.frame_pointer = t->context.frame_pointer;
    h.time = runtime.timed ? t->time : 0;
    h.random = t->random;
    h.heap_next = t->heap.next;
    h.thread = t->number;
    h.location = t->pending.location;
    h.error_number = t->error_number;
    h.kind = t->pending.kind;
    return h;
}

static uint64_t hash_words(uint64_t h, const void *data, size_t size) {
    const unsigned char *at = data;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static size_t stack_size(const runtime_thread *t) {
    CHECK(t->context.stack_pointer - t->own_low < t->own_size);
    return t->own_low + t->own_size - t->context.stack_pointer;
}

uint64_t spin_hash(const runtime_thread *t) {
    state_head h = head_of(t);
    uint64_t sum = hash_words(1, &h, sizeof h);
    return hash_words(sum, (const void *)t->context.stack_pointer, stack_size(t));
}

static void make_room(size_t size) {
    if (bytes_used + size > bytes_room) {
        size_t room = 2 * (bytes_used + size);
        bytes = memory_resize(bytes, bytes_room, room);
        bytes_room = room;
    }
}

typedef struct wanted_state {
    const state_head *head;
    const runtime_thread *thread;
    uint64_t hash;
} wanted_state;

static bool is_wanted(const void *context, uint32_t number) {
    const wanted_state *w = context;
    const local_state *s = &vector_at(&states, number);
    const unsigned char *kept = bytes + s->start;
    size_t size = stack_size(w->thread);
    CHECK(s->size >= sizeof *w->head && s->start + s->size <= bytes_used);
    return s->hash == w->hash && s->size == sizeof *w->head + size &&
           memcmp(kept, w->head, sizeof *w->head) == 0 &&
           memcmp(kept + sizeof *w->head, (const void *)w->thread->context.stack_pointer, size) ==
               0;
}

uint32_t spin_number(const runtime_thread *t) {
    state_head h = head_of(t);
    wanted_state w = {&h, t, spin_hash(t)};
    uint32_t size = (uint32_t)(sizeof h + stack_size(t));
    uint32_t found = hash_index_find(&numbers, hash_index_fold(w.hash), is_wanted, &w);
    if (found != HASH_INDEX_NONE) {
        return found;
    }
    if (bytes_used + size > MOST_BYTES) {
        return SPIN_NONE;
    }
    make_room(size);
    memcpy(bytes + bytes_used, &h, sizeof h);
    memcpy(bytes + bytes_used + sizeof h, (const void *)t->context.stack_pointer, stack_size(t));
    hash_index_add(&numbers, hash_index_fold(w.hash), states.count);
    vector_push(&states, (local_state){.hash = w.hash, .start = bytes_used, .size = size});
    bytes_used += size;
    return states.count - 1;
}

/* ---- outcomes ---- */

uint64_t spin_value(uintptr_t granule, uint8_t mask) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; i++) {
        if (mask >> i & 1) {
            memcpy((char *)&value + i, (const char *)granule + i, 1);
        }
    }
    return value;
}

/* Requests to end, and channels: the runtime's own memory. */
static bool is_runtime_memory(uintptr_t address) {
    uintptr_t threads = (uintptr_t)runtime.threads, files = (uintptr_t)hidden_data(HIDDEN_FILES);
    return address - threads < RUNTIME_MAX_THREADS * sizeof *runtime.threads ||
           address - files < sizeof(open_files);
}

uint64_t spin_sync_value(uint32_t sync) {
    CHECK(sync && sync < syncs.count);
    return (uint64_t)(syncs.objects[sync].owner != 0) << 32 | syncs.objects[sync].count;
}

static bool reads_the_same(const spin_read *r) {
    if (!r->bytes) {
        return spin_sync_value((uint32_t)r->address) == r->value;
    }
    return (space_readable(r->address, sizeof(uint64_t)) || is_runtime_memory(r->address)) &&
           spin_value(r->address, r->bytes) == r->value;
}

static bool applies(const spin_outcome *o) {
    for (uint32_t i = 0; i < o->read_count; i++) {
        if (!reads_the_same(&vector_at(&all_reads, o->first_read + i))) {
            return false;
        }
    }
    return true;
}

const spin_outcome *spin_find_outcome(uint32_t state) {
    uint32_t at = vector_at(&states, state).outcomes;
    while (at && !applies(&vector_at(&outcomes, at - 1))) {
        at = vector_at(&outcomes, at - 1).following;
    }
    return at ? &vector_at(&outcomes, at - 1) : NULL;
}

void spin_add_outcome(uint32_t state, const spin_outcome *outcome, const spin_read *reads) {
    spin_outcome added = *outcome;
    CHECK(added.next == SPIN_NONE || added.next < states.count);
    added.first_read = all_reads.count;
    added.following = vector_at(&states, state).outcomes;
    for (uint32_t i = 0; i < added.read_count; i++) {
        vector_push(&all_reads, reads[i]);
    }
    vector_push(&outcomes, added);
    vector_at(&states, state).outcomes = outcomes.count;
}

const spin_read *spin_reads_of(const spin_outcome *o) {
    CHECK(o->first_read + o->read_count <= all_reads.count);
    return o->read_count ? &vector_at(&all_reads, o->first_read) : NULL;
}
