/* Calls what heddle does not control, once it is asked to. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int asked;

static void *serve(void *unused) {
    if (atomic_load(&asked)) {
        fork();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    atomic_store(&asked, 1);
    pthread_join(thread, NULL);
    return 0;
}
