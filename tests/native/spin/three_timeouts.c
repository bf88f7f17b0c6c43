/* While two threads repeat their loops, three waits time out: nobody else can do anything. After each time-out the
 * loops may go round once more, from where they are. Nobody ever sets what they wait for, unless SET, after the last
 * time-out. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void time_out(int times) {
    struct timespec until = {4000000000, 0};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < times; i++) {
        pthread_cond_timedwait(&never, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
}

static void *spins(void *unused) {
    while (flag != 1) {
    }
    return unused;
}

static void *waits_and_spins(void *unused) {
    time_out(1);
    for (;;) {
        int value = flag;
        if (!value) {
            value = flag;
        }
        if (value) {
            return unused;
        }
    }
}

static void *waits(void *unused) {
    time_out(2);
#ifdef SET
    flag = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, spins, NULL);
    pthread_create(&threads[1], NULL, waits_and_spins, NULL);
    pthread_create(&threads[2], NULL, waits, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
