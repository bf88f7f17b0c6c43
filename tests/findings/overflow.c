/* Two threads take the same last place of a buffer. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int used;
static atomic_char buffer[1];

static void *put(void *unused) {
    (void)unused;
    if (atomic_load(&used) < 1) {
        int place = atomic_fetch_add(&used, 1);
        atomic_store(&buffer[place], 'x');
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, put, NULL);
    put(NULL);
    pthread_join(thread, NULL);
    return 0;
}
