#include "targets/runtime/kernel/spin_table.h"

#include <string.h>

#include "base/bytes.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/libraries_memory.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

/* Beyond these no further local states are distinguished, nor outcomes of one of them: loops are
 * then cut by --max-steps. */
enum { MOST_BYTES = 1 << 28, MOST_OUTCOMES = 1 << 12 };

typedef struct local_state {
    uint64_t hash;
    size_t start;
    uint32_t size;
    uint32_t outcomes; /* the latest, + 1 */
    uint32_t outcome_count;
} local_state;

static VECTOR(local_state) states;
static unsigned char *kept; /* all of them, one after the other */
static size_t kept_size, kept_room;
static VECTOR(spin_outcome) outcomes;
static VECTOR(spin_read) all_reads;
static hash_index numbers;

void spin_table_close(void) {
    vector_free(&states);
    vector_free(&outcomes);
    vector_free(&all_reads);
    kept = memory_resize(kept, kept_room, 0);
    kept_size = kept_room = 0;
    hash_index_free(&numbers);
}

/* ---- local states ---- */

typedef struct state_head {
    uint64_t time; /* the first: see spin_bytes_of */
    uintptr_t resume, stack_pointer, frame_pointer;
    uintptr_t registers[SPIN_REGISTERS]; /* of a running thread */
    uint64_t random;
    uintptr_t heap_next;
    uint32_t thread, location;
    int error_number, kind;
} state_head;

static state_head head_of(const runtime_thread *t) {
    state_head h;
    memset(&h, 0, sizeof h);
    h.resume = t->context.resume;
    h.stack_pointer = t->context.stack_pointer;
    h.frame_pointer = t->context.frame_pointer;
    h.time = runtime.timed ? t->time - t->slept : 0;
    h.random = t->random.state;
    h.heap_next = t->heap.next;
    h.thread = t->number;
    h.location = t->pending.location;
    h.error_number = t->error_number;
    h.kind = t->pending.kind;
    return h;
}

static size_t stack_size(const runtime_thread *t, const state_head *h) {
    CHECK(h->stack_pointer - t->own_low < t->own_size);
    return t->own_low + t->own_size - h->stack_pointer;
}

/* Frames with large arrays make stacks large, and each step in a loop hashes one. The next word
 * need not wait until the one before it is done: four at a time. */
static uint64_t hash_of_stack(const unsigned char *at, size_t size) {
    enum { LANES = 4 };
    uint64_t lanes[LANES] = {1, 2, 3, 4}, words[LANES];
    for (; size >= sizeof words; at += sizeof words, size -= sizeof words) {
        memcpy(words, at, sizeof words);
        for (int i = 0; i < LANES; i++) {
            lanes[i] = (lanes[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
            lanes[i] ^= lanes[i] >> 32;
        }
    }
    return hash_index_mix(bytes_checksum(lanes, sizeof lanes), bytes_checksum(at, size));
}

static uint64_t hash_of(const runtime_thread *t, const state_head *h) {
    return hash_index_mix(bytes_checksum(h, sizeof *h),
                          hash_of_stack((const void *)h->stack_pointer, stack_size(t, h)));
}

uint64_t spin_hash(const runtime_thread *t) {
    state_head h = head_of(t);
    return hash_of(t, &h);
}

uint64_t spin_shape(const runtime_thread *t) {
    state_head h = head_of(t);
    h.error_number = 0;
    return hash_of(t, &h);
}

static void make_room(size_t size) {
    if (kept_size + size > kept_room) {
        size_t room = 2 * (kept_size + size);
        kept = memory_resize(kept, kept_room, room);
        kept_room = room;
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
    const unsigned char *own = kept + s->start;
    size_t size = stack_size(w->thread, w->head);
    CHECK(s->size >= sizeof *w->head && s->start + s->size <= kept_size);
    return s->hash == w->hash && s->size == sizeof *w->head + size &&
           memcmp(own, w->head, sizeof *w->head) == 0 &&
           memcmp(own + sizeof *w->head, (const void *)w->head->stack_pointer, size) == 0;
}

static uint32_t number_of(const runtime_thread *t, const state_head *h) {
    wanted_state w = {h, t, hash_of(t, h)};
    uint32_t size = (uint32_t)(sizeof *h + stack_size(t, h));
    uint32_t found = hash_index_find(&numbers, hash_index_fold(w.hash), is_wanted, &w);
    if (found != HASH_INDEX_NONE) {
        return found;
    }
    if (kept_size + size > MOST_BYTES) {
        return SPIN_NONE;
    }
    make_room(size);
    memcpy(kept + kept_size, h, sizeof *h);
    memcpy(kept + kept_size + sizeof *h, (const void *)h->stack_pointer, stack_size(t, h));
    hash_index_add(&numbers, hash_index_fold(w.hash), states.count);
    vector_push(&states, (local_state){.hash = w.hash, .start = kept_size, .size = size});
    kept_size += size;
    return states.count - 1;
}

uint32_t spin_number(const runtime_thread *t) {
    state_head h = head_of(t);
    return number_of(t, &h);
}

#ifdef __x86_64__
const int spin_registers_preserved[] = {3, 6, 12, 13, 14, 15}; /* rbx, rbp, r12 to r15 */
#else
const int spin_registers_preserved[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#endif

uint32_t spin_number_in(const runtime_thread *t, const spin_frame *frame, uint32_t location) {
    state_head h = head_of(t);
    CHECK(t == runtime.current);
    h.time = runtime.timed ? t->time : 0;
    h.resume = frame->resume;
    h.stack_pointer = frame->stack_pointer;
    h.frame_pointer = 0;
    memcpy(h.registers, frame->registers, sizeof h.registers);
    h.location = location;
    h.error_number = *runtime.error_number;
    h.kind = OPERATION_NONE;
    return number_of(t, &h);
}

spin_bytes spin_bytes_of(uint32_t number) {
    const local_state *s = &vector_at(&states, number);
    CHECK(s->size > sizeof(state_head) && s->start + s->size <= kept_size);
    spin_bytes b = {.bytes = kept + s->start + sizeof b.time, .size = s->size - sizeof b.time};
    memcpy(&b.time, kept + s->start, sizeof b.time);
    return b;
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
    return (uint64_t)(sync_object_at(sync)->owner != 0) << 32 | sync_object_at(sync)->count;
}

/* Neither the program's nor a library's to write, such as tables of libc. */
static bool is_constant(uintptr_t address) {
    return space_constant(address) || (!space_contains(address) && !is_runtime_memory(address) &&
                                       !libraries_memory_writable(address, sizeof(uint64_t)));
}

static bool is_there(uintptr_t address) {
    return !space_contains(address) || space_readable(address, sizeof(uint64_t));
}

static bool reads_the_same(const spin_read *r) {
    if (r->made) {
        return true;
    }
    if (r->hidden) {
        return hidden_value((enum hidden_part)r->address) == r->value;
    }
    if (!r->bytes) {
        return spin_sync_value((uint32_t)r->address) == r->value;
    }
    return is_constant(r->address) ||
           (is_there(r->address) && spin_value(r->address, r->bytes) == r->value);
}

static bool applies(const spin_outcome *o) {
    for (uint32_t i = 0; i < o->read_count; i++) {
        if (!reads_the_same(&vector_at(&all_reads, o->first_read + i))) {
            return false;
        }
    }
    return true;
}

static const spin_outcome *find(uint32_t state, bool fails) {
    uint32_t at = vector_at(&states, state).outcomes;
    while (at) {
        const spin_outcome *o = &vector_at(&outcomes, at - 1);
        if (o->fails == fails && applies(o)) {
            return o;
        }
        at = o->following;
    }
    return NULL;
}

const spin_outcome *spin_find_outcome(uint32_t state) {
    return find(state, false);
}

const spin_outcome *spin_find_failure(uint32_t state) {
    return find(state, true);
}

bool spin_has_room(uint32_t state) {
    return vector_at(&states, state).outcome_count < MOST_OUTCOMES;
}

void spin_add_outcome(uint32_t state, const spin_outcome *outcome, const spin_read *reads) {
    spin_outcome added = *outcome;
    CHECK(added.next == SPIN_NONE || added.next < states.count);
    added.first_read = all_reads.count;
    added.following = vector_at(&states, state).outcomes;
    vector_append(&all_reads, reads, added.read_count);
    vector_push(&outcomes, added);
    vector_at(&states, state).outcomes = outcomes.count;
    vector_at(&states, state).outcome_count++;
}

const spin_read *spin_reads_of(const spin_outcome *o) {
    CHECK(o->first_read + o->read_count <= all_reads.count);
    return o->read_count ? &vector_at(&all_reads, o->first_read) : NULL;
}
