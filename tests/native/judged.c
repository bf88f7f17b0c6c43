#include "judged.h"

#include <stdlib.h>
#include <string.h>

#include "dpor/registry.h"
#include "final_state.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

enum { EXECUTION_LIMIT = 3000 };

uint64_t judged_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 31;
}

static uint32_t cell_of(judged *j, uint32_t object) {
    uint32_t number = object & OBJECT_NUMBER_MASK;
    if (!j->native || number >= MAX_OBJECTS) {
        return object;
    }
    if (!j->cells[number]) {
        char name[80] = "";
        FILE *out = fmemopen(name, sizeof name, "w");
        j->target->class->describe_object(j->target, object, out);
        fclose(out);
        const char *bracket = strchr(name, '[');
        j->cells[number] = bracket ? (uint32_t)atoi(bracket + 1) + 1 : UINT32_MAX;
    }
    return j->cells[number] - 1;
}

static uint32_t thread_of(const judged *j, uint32_t thread) {
    return j->gated    ? thread - 1 /* main creates them, in order */
           : j->native ? (uint32_t)(uintptr_t)runtime.threads[thread].argument
                       : thread;
}

static bool about_threads(const event *e) {
    return e->kind == OPERATION_SPAWN || e->kind == OPERATION_JOIN;
}

/* The clocks show who took what. */
static bool about_messages(const event *e) {
    return e->kind == OPERATION_SEND || e->kind == OPERATION_RECEIVE;
}

static uint64_t hash_of_trace(judged *j, const execution *e) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *v = execution_event(e, i);
        if ((j->native && v->thread == 0) || (j->gated && v->index == 0)) {
            continue;
        }
        uint64_t hash = judged_mix(1, thread_of(j, v->thread));
        hash = judged_mix(hash, v->index - j->gated);
        hash = judged_mix(hash, v->kind);
        bool waker = v->kind == OPERATION_SIGNAL && v->choice != CHOICE_NONE;
        hash = judged_mix(hash, waker ? thread_of(j, v->choice) : v->choice);
        bool has_object =
            v->footprint != FOOTPRINT_EMPTY && v->kind != OPERATION_ATOMIC && !about_messages(v);
        hash = judged_mix(hash, has_object ? cell_of(j, v->object) : 0);
        hash = judged_mix(hash, about_threads(v) || about_messages(v) ? 0 : v->value);
        const uint32_t *clock = execution_clock(e, i);
        uint64_t before = 0;
        for (uint32_t t = j->native ? 1 : 0; t < execution_thread_count(e); t++) {
            if (clock[t] > j->gated) {
                before += judged_mix(judged_mix(7, thread_of(j, t)), clock[t] - j->gated);
            }
        }
        sum += judged_mix(hash, before);
    }
    return sum;
}

/* Of the C program: where its array of variables begins. Main has written after their end. */
static const int64_t *find_variables(judged *j, const execution *e) {
    uint32_t wanted = j->program->cells.count + j->program->threads.count;
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *v = execution_event(e, i);
        if (v->thread == 0 && v->kind == OPERATION_WRITE && cell_of(j, v->object) == wanted) {
            uint32_t object = v->object & OBJECT_NUMBER_MASK;
            return (const int64_t *)space_object_address(object) - wanted;
        }
    }
    CHECK(!"variables");
    return NULL;
}

/* It waits for somebody to give back what it is about to take. */
static bool is_held(const operation *op) {
    const sync_object *s = sync_by_object(op->object);
    switch (op->kind) {
        case OPERATION_LOCK:
        case OPERATION_READ_LOCK:
            return s && s->owner;
        case OPERATION_WRITE_LOCK:
            return s && (s->owner || s->count);
        case OPERATION_SEMAPHORE_WAIT:
            return s && !s->count;
        default:
            return false;
    }
}

/* Some thread that is left repeats a loop. */
static bool somebody_spins(target *t) {
    for (uint32_t i = 0; i < t->class->thread_count(t); i++) {
        const operation *op = t->class->pending(t, i);
        if (op && op->flags & OPERATION_SPINS && !is_held(op)) {
            return true;
        }
    }
    return false;
}

static void note_end(judged *j, const exploration *x, enum target_ending ending) {
    uint64_t state = j->native ? final_state_native(j->program, find_variables(j, &x->execution))
                               : final_state_abstract(j->program, j->target);
    bool assumed = ending == ENDING_ASSUME_BLOCKED;
    if (j->states && (ending_is_stuck(ending) || assumed) && somebody_spins(j->target)) {
        j->rounds = true;
    } else {
        vector_push(&j->finals, judged_mix(state, ending_is_stuck(ending)));
    }
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    judged *j = (judged *)s;
    j->endings[ending]++;
    if (j->loops && ending != ENDING_ARTIFACT) {
        note_end(j, x, ending);
    }
    vector_push(&j->traces, judged_mix(hash_of_trace(j, &x->execution), ending));
}

static void redundant(sink *s, const exploration *x) {
    (void)x;
    ((judged *)s)->redundant++;
}

/* Misuse that is a step in C as well: of what was destroyed, or is being used. */
static bool is_step(const program_error *error) {
    return strstr(error->message, "destroyed") || strstr(error->message, "initialisation of") ||
           strstr(error->message, "destruction of");
}

static bool on_error(sink *s, const exploration *x, const program_error *error) {
    judged *j = (judged *)s;
    (void)x;
    j->misuse =
        j->misuse || (error->kind == ERROR_MISUSE && !is_step(error)) || error->kind == ERROR_HANG;
    j->races = j->races || error->kind == ERROR_DATA_RACE;
    j->unsupported = j->unsupported || error->kind == ERROR_UNSUPPORTED;
    uint64_t one = (uint64_t)error->thread << 32 | error->location;
    for (uint32_t i = 0; i < j->errors.count; i++) {
        if (j->errors.items[i] == one) {
            return true;
        }
    }
    if (error->kind == ERROR_ASSERTION || error->kind == ERROR_MISUSE) {
        vector_push(&j->errors, one);
    }
    return true;
}

const sink_class judged_class = {.executed = executed, .redundant = redundant, .error = on_error};

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void judged_sort_finals(judged *j) {
    uint32_t kept = 0;
    qsort(j->finals.items, j->finals.count, sizeof *j->finals.items, compare_words);
    for (uint32_t i = 0; i < j->finals.count; i++) {
        if (!i || j->finals.items[i] != j->finals.items[i - 1]) {
            j->finals.items[kept++] = j->finals.items[i];
        }
    }
    j->finals.count = kept;
}

enum memory_model judged_model = MODEL_SC;

bool judged_explore(judged *j, target *t, const strategy_class *strategy) {
    exploration x;
    bool again;
    do {
        vector_clear(&j->traces);
        vector_clear(&j->finals);
        j->rounds = j->unsupported = false;
        memset(j->endings, 0, sizeof j->endings);
        j->redundant = 0;
        vector_clear(&j->commuting);
        vector_clear(&j->errors);
        exploration_init(&x, t, &j->base);
        x.model = judged_model;
        x.limits.max_executions = EXECUTION_LIMIT;
        x.limits.max_steps = j->states ? 200 : 2000;
        x.limits.stop_at_cut = !j->states; /* it would not be finished */
        enum exploration_end end = exploration_run(&x, strategy);
        again = target_take_stale(t);
        j->raced = t->promoted;
        exploration_free(&x);
        if (end == EXPLORATION_UNSUITED) {
            strategy = strategy_find(strategy->fallback);
            again = true;
        } else if (end != EXPLORATION_COMPLETE && !again) {
            return false;
        }
    } while (again);
    if (j->unsupported) {
        return false;
    }
    qsort(j->traces.items, j->traces.count, sizeof *j->traces.items, compare_words);
    judged_sort_finals(j);
    return true;
}
