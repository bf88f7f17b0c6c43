#include "oracle/known_states.h"

#include <string.h>

#include "base/hash_index.h"
#include "oracle/machine_spin.h"

#define EDGE_NONE 0

/* A step that was taken from a state. */
typedef struct known_edge {
    uint32_t choice, to;
    uint32_t next; /* of the same thread and state; + 1 */
    bool acquired;
    uint64_t value;
} known_edge;

/* A thread in a state. */
typedef struct known_thread {
    bool asked, pending;
    uint32_t edges; /* the first + 1 */
    kept_operation operation;
} known_thread;

typedef struct known_states {
    target base;
    target *inner;
    size_t size; /* of a state of it */
    uint32_t thread_count, cell_count;
    uint32_t state_count;
    VECTOR(char) bytes;                 /* of all states; state 0 is the initial one */
    VECTOR(uint64_t) values;            /* of the cells, likewise */
    VECTOR(known_thread) threads;       /* likewise */
    VECTOR(enum target_ending) endings; /* + 1, once it was asked for */
    VECTOR(known_edge) edges;
    hash_index numbers;
    VECTOR(char) latest;   /* the state at hand, to be looked for */
    uint32_t inner_at;     /* where the inner target stands */
    uint32_t at;           /* where this one does */
    VECTOR(uint32_t) path; /* states since the reset */
    bool strayed;          /* a state was restored since: it is not on the path */
} known_states;

static known_states *of(target *t) {
    return (known_states *)t;
}

bool known_states_suit(const target *inner, const program *p) {
    for (uint32_t i = 0; i < p->cells.count; i++) {
        if (vector_at(&p->cells, i).kind >= CELL_SEMAPHORE) {
            return false;
        }
    }
    return !inner->nameless && !program_has_plain(p) && !machine_has_loops(p);
}

/* ---- states ---- */

static const char *bytes_of(const known_states *k, uint32_t state) {
    CHECK(state < k->state_count);
    return &vector_at(&k->bytes, (uint32_t)(state * k->size));
}

static known_thread *thread_of(known_states *k, uint32_t state, uint32_t thread) {
    return &vector_at(&k->threads, state * k->thread_count + thread);
}

static bool is_latest(const void *context, uint32_t state) {
    const known_states *k = context;
    return memcmp(bytes_of(k, state), k->latest.items, k->size) == 0;
}

static uint32_t hash_latest(const known_states *k) {
    uint64_t hash = HASH_INDEX_SEED;
    for (size_t i = 0; i < k->size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, k->latest.items + i, k->size - i < sizeof word ? k->size - i : sizeof word);
        hash = hash_index_mix(hash, word);
    }
    return hash_index_fold(hash);
}

/* The number of the state that the inner target is in. */
static uint32_t find_state(known_states *k) {
    k->inner->class->save(k->inner, k->latest.items);
    uint32_t hash = hash_latest(k), state = hash_index_find(&k->numbers, hash, is_latest, k);
    if (state != HASH_INDEX_NONE) {
        return state;
    }
    state = k->state_count++;
    hash_index_add(&k->numbers, hash, state);
    vector_resize(&k->bytes, (uint32_t)(k->state_count * k->size));
    memcpy(k->bytes.items + state * k->size, k->latest.items, k->size);
    for (uint32_t i = 0; i < k->cell_count; i++) {
        vector_push(&k->values, k->inner->class->value(k->inner, i));
    }
    for (uint32_t t = 0; t < k->thread_count; t++) {
        vector_push(&k->threads, (known_thread){0});
    }
    vector_push(&k->endings, 0);
    return state;
}

static void move_inner(known_states *k) {
    if (k->inner_at != k->at) {
        k->inner->class->restore(k->inner, bytes_of(k, k->at));
        k->inner_at = k->at;
    }
}

/* ---- steps ---- */

static uint32_t known_thread_count(target *t) {
    return of(t)->thread_count;
}

static const operation *known_pending(target *t, uint32_t thread) {
    known_states *k = of(t);
    if (thread >= k->thread_count) {
        return NULL;
    }
    known_thread *known = thread_of(k, k->at, thread);
    if (!known->asked) {
        move_inner(k);
        const operation *pending = k->inner->class->pending(k->inner, thread);
        known->asked = true;
        known->pending = pending;
        if (pending) {
            operation_keep(&known->operation, pending);
        }
    }
    return known->pending ? &known->operation.operation : NULL;
}

/* The step was not taken from there before. One with an error is not remembered: the error is the
 * inner target's until its next step. */
static uint32_t take_first(known_states *k, uint32_t thread, uint32_t choice, step_result *result) {
    uint32_t from = k->at;
    move_inner(k);
    CHECK(k->inner->class->pending(k->inner, thread));
    k->inner->class->step(k->inner, thread, choice, result);
    CHECK(!k->inner->stale && !k->inner->cut && !k->inner->needs_all);
    uint32_t to = k->inner_at = find_state(k);
    if (!result->error) {
        known_thread *known = thread_of(k, from, thread);
        vector_push(&k->edges,
                    (known_edge){choice, to, known->edges, result->acquired, result->value});
        known->edges = k->edges.count;
    }
    return to;
}

static void known_step(target *t, uint32_t thread, uint32_t choice, step_result *result) {
    known_states *k = of(t);
    CHECK(thread < k->thread_count);
    uint32_t edge = thread_of(k, k->at, thread)->edges;
    while (edge != EDGE_NONE && vector_at(&k->edges, edge - 1).choice != choice) {
        edge = vector_at(&k->edges, edge - 1).next;
    }
    if (edge == EDGE_NONE) {
        k->at = take_first(k, thread, choice, result);
    } else {
        const known_edge *taken = &vector_at(&k->edges, edge - 1);
        *result = (step_result){.value = taken->value, .acquired = taken->acquired};
        k->at = taken->to;
    }
    if (!k->strayed) {
        vector_push(&k->path, k->at);
    }
}

static void known_reset(target *t) {
    known_states *k = of(t);
    k->at = 0;
    k->strayed = false;
    vector_clear(&k->path);
    t->resets++;
}

static uint32_t known_back(target *t, uint32_t length) {
    known_states *k = of(t);
    k->path.count = length < k->path.count ? length : k->path.count;
    k->at = k->path.count ? vector_last(&k->path) : 0;
    k->strayed = false;
    return k->path.count;
}

static enum target_ending known_ending(target *t) {
    known_states *k = of(t);
    if (!vector_at(&k->endings, k->at)) {
        move_inner(k);
        vector_at(&k->endings, k->at) = k->inner->class->ending(k->inner) + 1u;
    }
    return vector_at(&k->endings, k->at) - 1u;
}

static uint64_t known_value(target *t, uint32_t object) {
    known_states *k = of(t);
    return object < k->cell_count ? vector_at(&k->values, k->at * k->cell_count + object) : 0;
}

static const program_error *known_start_error(target *t, uint32_t i) {
    return target_start_error(of(t)->inner, i);
}

/* ---- states that are kept ---- */

static size_t known_state_size(target *t) {
    (void)t;
    return sizeof(uint32_t);
}

static void known_save(target *t, void *state) {
    memcpy(state, &of(t)->at, sizeof(uint32_t));
}

static void known_restore(target *t, const void *state) {
    memcpy(&of(t)->at, state, sizeof(uint32_t));
    CHECK(of(t)->at < of(t)->state_count);
    of(t)->strayed = true;
}

static const char *kept_bytes(known_states *k, const void *state) {
    uint32_t number;
    memcpy(&number, state, sizeof number);
    return bytes_of(k, number);
}

static bool known_equal(target *t, const void *state, const void *other) {
    known_states *k = of(t);
    const char *a = kept_bytes(k, state), *b = kept_bytes(k, other);
    return a == b || k->inner->class->equal(k->inner, a, b);
}

static bool known_equal_thread(target *t, const void *state, const void *other, uint32_t thread) {
    known_states *k = of(t);
    const char *a = kept_bytes(k, state), *b = kept_bytes(k, other);
    return a == b || k->inner->class->equal_thread(k->inner, a, b, thread);
}

/* ---- for people; the end ---- */

static void known_describe_thread(target *t, uint32_t thread, FILE *out) {
    of(t)->inner->class->describe_thread(of(t)->inner, thread, out);
}

static void known_describe_object(target *t, uint32_t object, FILE *out) {
    of(t)->inner->class->describe_object(of(t)->inner, object, out);
}

static bool known_describe_location(target *t, uint32_t location, const char **file,
                                    uint32_t *line) {
    return of(t)->inner->class->describe_location(of(t)->inner, location, file, line);
}

static void known_destroy(target *t) {
    known_states *k = of(t);
    for (uint32_t i = 0; i < k->threads.count; i++) {
        kept_operation_free(&vector_at(&k->threads, i).operation);
    }
    vector_free(&k->bytes);
    vector_free(&k->values);
    vector_free(&k->threads);
    vector_free(&k->endings);
    vector_free(&k->edges);
    vector_free(&k->latest);
    vector_free(&k->path);
    hash_index_free(&k->numbers);
    k->inner->class->destroy(k->inner);
    memory_resize(k, sizeof *k, 0);
}

static const target_class known_states_class = {
    .reset = known_reset,
    .back = known_back,
    .start_error = known_start_error,
    .thread_count = known_thread_count,
    .pending = known_pending,
    .step = known_step,
    .ending = known_ending,
    .value = known_value,
    .state_size = known_state_size,
    .save = known_save,
    .restore = known_restore,
    .equal = known_equal,
    .equal_thread = known_equal_thread,
    .describe_thread = known_describe_thread,
    .describe_object = known_describe_object,
    .describe_location = known_describe_location,
    .destroy = known_destroy,
};

target *known_states_create(target *inner, const program *p) {
    CHECK(known_states_suit(inner, p));
    known_states *k = memory_resize(NULL, 0, sizeof *k);
    k->base.class = &known_states_class;
    k->base.compares = inner->compares;
    k->inner = inner;
    k->size = inner->class->state_size(inner);
    k->thread_count = inner->class->thread_count(inner);
    k->cell_count = p->cells.count;
    vector_resize(&k->latest, (uint32_t)k->size);
    inner->class->reset(inner);
    CHECK(find_state(k) == 0);
    return &k->base;
}
