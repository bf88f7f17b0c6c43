/* A one-line program (docs/LANGUAGE.md) as a C program: its first argument. It may have reads, writes,
 * fetch-adds, compare-and-swaps, fences, mutexes, semaphores and read-write locks, and conditions. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, OPERATIONS = 16 };

typedef struct operation {
    char condition, kind, how; /* how: of a read-write lock */
    int object, value;
    char order, failure;
} operation;

static operation program[THREADS][OPERATIONS];
static int lengths[THREADS];
static atomic_int cells[6];
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static sem_t semaphores[2];

#define READ(order) \
    return atomic_load_explicit(x, order)
#define WRITE(order) \
    atomic_store_explicit(x, o->value, order); \
    return last
#define ADD(order) \
    return atomic_fetch_add_explicit(x, o->value, order)
#define FENCE(order) \
    atomic_thread_fence(order); \
    return last
#define COMPARE(order, failure) \
    return atomic_compare_exchange_strong_explicit(x, &expected, o->value, order, failure)

static int compare(const operation *o, atomic_int *x) {
    int expected = 0;
    switch (o->order) {
        case 'x': COMPARE(memory_order_relaxed, memory_order_relaxed);
        case 'a': if (o->failure == 'x') { COMPARE(memory_order_acquire, memory_order_relaxed); }
            COMPARE(memory_order_acquire, memory_order_acquire);
        case 'l': COMPARE(memory_order_release, memory_order_relaxed);
        case 'r': if (o->failure == 'x') { COMPARE(memory_order_acq_rel, memory_order_relaxed); }
            COMPARE(memory_order_acq_rel, memory_order_acquire);
        default: if (o->failure == 'x') { COMPARE(memory_order_seq_cst, memory_order_relaxed); }
            COMPARE(memory_order_seq_cst, memory_order_seq_cst);
    }
}

/* Orders: x relaxed, a acquire, l release, r acq_rel, s seq_cst. */
static int access_memory(const operation *o, int last) {
    atomic_int *x = &cells[o->object];
    switch (o->kind << 8 | o->order) {
        case 'r' << 8 | 'x': READ(memory_order_relaxed);
        case 'r' << 8 | 'a': READ(memory_order_acquire);
        case 'r' << 8 | 's': READ(memory_order_seq_cst);
        case 'w' << 8 | 'x': WRITE(memory_order_relaxed);
        case 'w' << 8 | 'l': WRITE(memory_order_release);
        case 'w' << 8 | 's': WRITE(memory_order_seq_cst);
        case 'a' << 8 | 'x': ADD(memory_order_relaxed);
        case 'a' << 8 | 'a': ADD(memory_order_acquire);
        case 'a' << 8 | 'l': ADD(memory_order_release);
        case 'a' << 8 | 'r': ADD(memory_order_acq_rel);
        case 'a' << 8 | 's': ADD(memory_order_seq_cst);
        case 'f' << 8 | 'a': FENCE(memory_order_acquire);
        case 'f' << 8 | 'l': FENCE(memory_order_release);
        case 'f' << 8 | 'r': FENCE(memory_order_acq_rel);
        case 'f' << 8 | 's': FENCE(memory_order_seq_cst);
        default: return compare(o, x);
    }
}

static int synchronise(const operation *o, int last) {
    switch (o->kind) {
        case 'l': pthread_mutex_lock(&mutexes[o->object]); return last;
        case 'u': pthread_mutex_unlock(&mutexes[o->object]); return last;
        case 'k': return pthread_mutex_trylock(&mutexes[o->object]) == 0;
        case 'P': sem_wait(&semaphores[o->object]); return last;
        case 'p': return sem_trywait(&semaphores[o->object]) == 0;
        case 'V': sem_post(&semaphores[o->object]); return last;
        case 'R': pthread_rwlock_rdlock(&locks[o->object]); return last;
        case 'W': pthread_rwlock_wrlock(&locks[o->object]); return last;
        case 'U': pthread_rwlock_unlock(&locks[o->object]); return last;
        default: return access_memory(o, last);
    }
}

static void *run(void *argument) {
    int thread = (int)(long)argument, last = 0;
    for (int i = 0; i < lengths[thread]; i++) {
        const operation *o = &program[thread][i];
        if (!o->condition || (o->condition == '?') == (last != 0)) {
            last = synchronise(o, last);
        }
    }
    return NULL;
}

static char parse_order(const char **at) {
    char order = **at == 's' ? 's' : (*at)[1] == 'l' ? 'x' : (*at)[2] == 'l' ? 'l' : (*at)[1];
    order = order == 'c' ? 'a' : order; /* acq, ar, rel, rlx, sc */
    *at += strcspn(*at, " .");
    return order;
}

static operation parse(const char **at) {
    operation o = {.value = 1, .order = 's', .failure = 0};
    if (**at == '?' || **at == '!') {
        o.condition = *(*at)++;
    }
    o.kind = *(*at)++;
    bool memory = strchr("rwac", o.kind) != NULL;
    if (strchr("RWU", o.kind)) {
        (*at)++; /* l */
    }
    if (memory) {
        o.object = (int)(strchr("xyzuvw", *(*at)++) - "xyzuvw");
        o.value = **at >= '0' && **at <= '9' ? *(*at)++ - '0' : 1;
    } else if (o.kind != 'f') {
        o.object = *(*at)++ - '0';
    }
    if (**at == ':') {
        ++*at;
        o.order = parse_order(at);
    }
    if (**at == '.') {
        ++*at;
        o.failure = parse_order(at);
    }
    return o;
}

int main(int argc, char **argv) {
    const char *at = argc > 1 ? argv[1] : "wx1";
    int threads = 1;
    pthread_t ids[THREADS];
    while (*at) {
        if (*at == ' ') {
            at++;
        } else if (*at == '/') {
            at++;
            threads++;
        } else {
            program[threads - 1][lengths[threads - 1]++] = parse(&at);
        }
    }
    sem_init(&semaphores[0], 0, 1);
    sem_init(&semaphores[1], 0, 0);
    for (long i = 0; i < threads; i++) {
        pthread_create(&ids[i], NULL, run, (void *)i);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
    }
    return 0;
}
