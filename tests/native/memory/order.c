/* Errors that only some orders of the threads have. The argument names the case; with a second
 * argument the program is right. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 100000 };

struct box {
    int value;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    atomic_int references;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct box *box;
static char *wide, *other_wide;
static pthread_mutex_t *locks;
static int gone, right;
static volatile int sink;

/* 1: both under a lock, so that there is no race. */
static void *frees_locked(void *unused) {
    pthread_mutex_lock(&lock);
    free(box);
    gone = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *uses_locked(void *unused) {
    pthread_mutex_lock(&lock);
    if (!right || !gone) {
        box->value++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* 2: the same with a block of many granules. */
static void *frees_wide_locked(void *unused) {
    pthread_mutex_lock(&lock);
    free(wide);
    gone = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *uses_wide_locked(void *unused) {
    pthread_mutex_lock(&lock);
    if (!right || !gone) {
        sink = wide[77777];
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

/* 3: without a lock. */
static void *frees_wide(void *unused) {
    if (!right) {
        free(wide);
    }
    return unused;
}

static void *reads_wide(void *unused) {
    sink = wide[5000];
    return unused;
}

/* 4: atomic accesses, which race with nothing but the free. */
static void *frees_box(void *unused) {
    if (!right) {
        free(box);
    }
    return unused;
}

static void *counts(void *unused) {
    atomic_fetch_add(&box->references, 1);
    return unused;
}

/* 5: the mutex of a block, used and freed; 6: in a wide one; 7: a condition. */
static void *locks_box(void *unused) {
    pthread_mutex_lock(&box->mutex);
    pthread_mutex_unlock(&box->mutex);
    return unused;
}

static void *frees_locks(void *unused) {
    if (!right) {
        free(locks);
    }
    return unused;
}

static void *locks_last(void *unused) {
    pthread_mutex_lock(&locks[499]);
    pthread_mutex_unlock(&locks[499]);
    return unused;
}

static void *signals_box(void *unused) {
    pthread_cond_signal(&box->condition);
    return unused;
}

/* 8: who is last frees; wrong if that is asked in a second step. */
static void *drops(void *unused) {
    if (right) {
        if (atomic_fetch_sub(&box->references, 1) == 1) {
            free(box);
        }
    } else {
        atomic_fetch_sub(&box->references, 1);
        if (atomic_load(&box->references) == 0) {
            free(box);
        }
    }
    return unused;
}

/* 9: a block that moves. */
static void *resizes_locked(void *unused) {
    pthread_mutex_lock(&lock);
    char *old = wide;
    wide = realloc(wide, 2 * WIDE);
    other_wide = right ? wide : old;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *uses_moved_locked(void *unused) {
    pthread_mutex_lock(&lock);
    other_wide[WIDE - 1] = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

/* 10: copied as a whole. */
static void *copies_locked(void *unused) {
    pthread_mutex_lock(&lock);
    if (!right || !gone) {
        memcpy(other_wide, wide, WIDE);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *(*const cases[][2])(void *) = {
    {frees_locked, uses_locked},
    {frees_wide_locked, uses_wide_locked},
    {frees_wide, reads_wide},
    {frees_box, counts},
    {frees_box, locks_box},
    {frees_locks, locks_last},
    {frees_box, signals_box},
    {drops, drops},
    {resizes_locked, uses_moved_locked},
    {frees_wide_locked, copies_locked},
};

int main(int argc, char **arguments) {
    pthread_t threads[2];
    int number = atoi(arguments[1]) - 1;
    right = argc > 2;
    box = calloc(1, sizeof *box);
    pthread_mutex_init(&box->mutex, NULL);
    pthread_cond_init(&box->condition, NULL);
    box->references = 2;
    wide = malloc(WIDE);
    other_wide = number == 8 ? wide : malloc(WIDE);
    locks = calloc(500, sizeof *locks);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, cases[number][i], NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
