/* Two phases of random operations on the same objects, which are initialised in between: what the
 * first phase did makes no difference to the second, so that both together have as many executions
 * as the product of the two says.
 *
 *     phases SEED PHASES HANDOVER
 *
 * PHASES: 1, 2, or 3 for both. HANDOVER: 0, main joins the first threads, initialises and creates the
 * others; 1, whichever of the first threads comes last does that, which makes twice as many. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, OPERATIONS = 3, VARIABLES = 2, KINDS = 10 };

static unsigned chosen[2][THREADS][OPERATIONS][3]; /* of each phase: kind, order, variable */
static unsigned ways;                              /* how objects are initialised */
static bool both;
static atomic_int variables[VARIABLES], left;
static pthread_mutex_t mutex;
static sem_t semaphore;
static int guarded;

/* ---- what is done ---- */

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void choose(unsigned seed) {
    for (int phase = 0; phase < 2; phase++)
        for (int thread = 0; thread < THREADS; thread++)
            for (int i = 0; i < OPERATIONS; i++)
                for (int what = 0; what < 3; what++)
                    chosen[phase][thread][i][what] = next_random(&seed);
    ways = next_random(&seed);
}

#define BY_ORDER(order, relaxed, stronger, strongest) \
    ((order) % 3 == 0 ? (relaxed) : (order) % 3 == 1 ? (stronger) : (strongest))

static void take(const unsigned *operation, int value) {
    atomic_int *x = &variables[operation[2] % VARIABLES];
    unsigned order = operation[1];
    int zero = 0;
    switch (operation[0] % KINDS) {
        case 0:
        case 1:
        case 2:
            (void)BY_ORDER(order, atomic_load_explicit(x, memory_order_relaxed),
                           atomic_load_explicit(x, memory_order_acquire), atomic_load(x));
            break;
        case 3:
        case 4:
            BY_ORDER(order, atomic_store_explicit(x, value, memory_order_relaxed),
                     atomic_store_explicit(x, value, memory_order_release), atomic_store(x, value));
            break;
        case 5:
            (void)BY_ORDER(order, atomic_fetch_add_explicit(x, 1, memory_order_relaxed),
                           atomic_fetch_add_explicit(x, 1, memory_order_acq_rel),
                           atomic_fetch_add(x, 1));
            break;
        case 6:
            atomic_compare_exchange_strong_explicit(x, &zero, value, memory_order_acq_rel,
                                                    memory_order_relaxed);
            break;
        case 7: atomic_thread_fence(memory_order_seq_cst); break;
        case 8:
            pthread_mutex_lock(&mutex);
            guarded++;
            pthread_mutex_unlock(&mutex);
            break;
        default:
            if (order % 2)
                sem_post(&semaphore);
            else
                sem_trywait(&semaphore);
    }
}

/* ---- lives ---- */

static void initialise(bool again) {
    for (int i = 0; i < VARIABLES; i++) {
        if (ways & 1)
            atomic_init(&variables[i], 0);
        else
            memset((void *)&variables[i], 0, sizeof variables[i]);
    }
    if (again && ways & 2)
        pthread_mutex_destroy(&mutex);
    if (again && ways & 4)
        sem_destroy(&semaphore);
    pthread_mutex_init(&mutex, NULL);
    sem_init(&semaphore, 0, 1);
    guarded = 0;
}

/* ---- phases ---- */

static void run(void *(*body)(void *));

static void work(int phase, long thread) {
    for (int i = 0; i < OPERATIONS; i++)
        take(chosen[phase][thread][i], (int)(thread * OPERATIONS) + i + 1);
}

static void *second(void *thread) {
    work(1, (long)thread);
    return NULL;
}

static void *first(void *thread) {
    work(0, (long)thread);
    return NULL;
}

static void *first_and_hand_over(void *thread) {
    work(0, (long)thread);
    if (atomic_fetch_sub_explicit(&left, 1, memory_order_acq_rel) == 1 && both) {
        initialise(true);
        run(second);
    }
    return NULL;
}

static void run(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **arguments) {
    if (count != 4)
        return 2;
    int phases = atoi(arguments[2]), handover = atoi(arguments[3]);
    choose((unsigned)atoi(arguments[1]));
    initialise(false);
    atomic_init(&left, THREADS);
    both = phases == 3;
    if (phases & 1)
        run(handover ? first_and_hand_over : first);
    if (both && !handover)
        initialise(true);
    if (phases == 2 || (both && !handover))
        run(second);
    return 0;
}
