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
    uint32_t outcome_count;
    uint32_t roots[2]; /* of its outcomes, + 1, and of those of tries that are made to fail */
} local_state;

/* Outcomes of a state, by what the step reads: a tree. What a step reads next depends on what it
 * has read so far, so there is usually one branch at a node: a place that is read, with a node for
 * each value that was found there. Thus the number of values hardly matters, such as those of a
 * counter that each round increments. */
typedef struct tree_node {
    uint64_t value;
    uint32_t branch;   /* where it was read */
    uint32_t sibling;  /* another value of that branch, + 1 */
    uint32_t branches; /* what is read next, + 1 */
    uint32_t outcome;  /* the latest of a step that reads nothing more, + 1 */
} tree_node;

typedef struct tree_branch {
    spin_read place;    /* its value means nothing */
    uint32_t following; /* another place that was read here, + 1 */
    uint32_t nodes;     /* the latest, + 1 */
} tree_branch;

static VECTOR(local_state) states;
static unsigned char *kept; /* all of them, one after the other */
static size_t kept_size, kept_room;
static VECTOR(spin_outcome) outcomes;
static VECTOR(spin_read) all_reads;
static hash_index numbers;
static VECTOR(tree_node) nodes;
static VECTOR(tree_branch) branches;
static hash_index values; /* nodes by branch and value */
static VECTOR(uint32_t) waiting;

void spin_table_close(void) {
    vector_free(&states);
    vector_free(&outcomes);
    vector_free(&all_reads);
    kept = memory_resize(kept, kept_room, 0);
    kept_size = kept_room = 0;
    hash_index_free(&numbers);
    vector_free(&nodes);
    vector_free(&branches);
    hash_index_free(&values);
    vector_free(&waiting);
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

/* A step from the state does the same whatever is there. */
static bool is_irrelevant(const spin_read *place) {
    return place->made || (!place->hidden && place->bytes && is_constant(place->address));
}

/* What is there now; false: there is nothing. */
static bool read_now(const spin_read *place, uint64_t *value) {
    if (place->hidden) {
        *value = hidden_value((enum hidden_part)place->address);
    } else if (!place->bytes) {
        *value = spin_sync_value((uint32_t)place->address);
    } else if (is_there(place->address)) {
        *value = spin_value(place->address, place->bytes);
    } else {
        return false;
    }
    return true;
}

typedef struct wanted_node {
    uint32_t branch;
    uint64_t value;
} wanted_node;

static bool is_wanted_node(const void *context, uint32_t number) {
    const wanted_node *w = context;
    const tree_node *n = &vector_at(&nodes, number);
    return n->branch == w->branch && n->value == w->value;
}

static uint32_t hash_of_node(const wanted_node *w) {
    return hash_index_fold(hash_index_mix(hash_index_mix(HASH_INDEX_SEED, w->branch), w->value));
}

static uint32_t find_node(const wanted_node *w) {
    return hash_index_find(&values, hash_of_node(w), is_wanted_node, w);
}

/* Nodes of the branch that agree with the current memory. */
static void follow(uint32_t branch) {
    const tree_branch *b = &vector_at(&branches, branch);
    wanted_node w = {.branch = branch};
    if (is_irrelevant(&b->place)) {
        for (uint32_t at = b->nodes; at; at = vector_at(&nodes, at - 1).sibling) {
            CHECK(vector_at(&nodes, at - 1).branch == branch);
            vector_push(&waiting, at - 1);
        }
    } else if (read_now(&b->place, &w.value)) {
        uint32_t found = find_node(&w);
        if (found != HASH_INDEX_NONE) {
            vector_push(&waiting, found);
        }
    }
}

/* The latest of those that apply. */
static const spin_outcome *find(uint32_t state, bool fails) {
    uint32_t latest = 0, root = vector_at(&states, state).roots[fails];
    vector_clear(&waiting);
    if (root) {
        vector_push(&waiting, root - 1);
    }
    while (waiting.count) {
        const tree_node *n = &vector_at(&nodes, vector_pop(&waiting));
        latest = n->outcome > latest ? n->outcome : latest;
        for (uint32_t at = n->branches; at; at = vector_at(&branches, at - 1).following) {
            follow(at - 1);
        }
    }
    CHECK(!latest || vector_at(&outcomes, latest - 1).fails == fails);
    return latest ? &vector_at(&outcomes, latest - 1) : NULL;
}

static bool is_same_place(const spin_read *a, const spin_read *b) {
    return a->address == b->address && a->bytes == b->bytes && a->hidden == b->hidden &&
           a->made == b->made;
}

static uint32_t add_branch(uint32_t node, const spin_read *place) {
    uint32_t at = vector_at(&nodes, node).branches;
    while (at && !is_same_place(&vector_at(&branches, at - 1).place, place)) {
        at = vector_at(&branches, at - 1).following;
    }
    if (!at) {
        vector_push(&branches, (tree_branch){*place, vector_at(&nodes, node).branches, 0});
        at = vector_at(&nodes, node).branches = branches.count;
    }
    return at - 1;
}

static uint32_t add_node(uint32_t branch, uint64_t value) {
    wanted_node w = {branch, value};
    uint32_t found = find_node(&w);
    if (found != HASH_INDEX_NONE) {
        return found;
    }
    tree_branch *b = &vector_at(&branches, branch);
    hash_index_add(&values, hash_of_node(&w), nodes.count);
    vector_push(&nodes, (tree_node){.value = value, .branch = branch, .sibling = b->nodes});
    b->nodes = nodes.count;
    return nodes.count - 1;
}

static void add_to_tree(uint32_t *root, const spin_read *reads, uint32_t count) {
    if (!*root) {
        vector_push(&nodes, (tree_node){.branch = UINT32_MAX});
        *root = nodes.count;
    }
    uint32_t at = *root - 1;
    for (uint32_t i = 0; i < count; i++) {
        at = add_node(add_branch(at, &reads[i]), reads[i].made ? 0 : reads[i].value);
    }
    CHECK(vector_at(&nodes, at).outcome < outcomes.count);
    vector_at(&nodes, at).outcome = outcomes.count;
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
    vector_append(&all_reads, reads, added.read_count);
    vector_push(&outcomes, added);
    add_to_tree(&vector_at(&states, state).roots[added.fails], reads, added.read_count);
    vector_at(&states, state).outcome_count++;
}

const spin_read *spin_reads_of(const spin_outcome *o) {
    CHECK(o->first_read + o->read_count <= all_reads.count);
    return o->read_count ? &vector_at(&all_reads, o->first_read) : NULL;
}
