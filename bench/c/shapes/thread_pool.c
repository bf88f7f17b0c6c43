/* A pool of threads that take jobs from a queue; every job reads and writes 4 KiB of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

enum { WORKERS = 2, WORDS = 512 };

static uint64_t data[N][WORDS];
static int next_job, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int submitted;

static uint64_t process(uint64_t *words) {
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++) {
        words[i] += (uint64_t)i;
        sum += words[i];
    }
    return sum;
}

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (next_job == submitted && submitted < N) {
            pthread_cond_wait(&filled, &lock);
        }
        int job = next_job < submitted ? next_job++ : -1;
        pthread_mutex_unlock(&lock);
        if (job < 0) {
            return unused;
        }
        uint64_t sum = process(data[job]);
        pthread_mutex_lock(&lock);
        done += sum != 0;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t threads[WORKERS];
    next_job = done = submitted = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
    }
    pthread_mutex_lock(&lock);
    submitted = N;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(done == N);
    return 0;
}
