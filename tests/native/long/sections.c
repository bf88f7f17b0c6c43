/* Sections that all end and begin something for the race detector, which must not keep all of it;
 * and a race between what was before them and what comes after. */
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *write_early(void *unused) {
    z = 1;
    return unused;
}

static void *read_late(void *unused) {
    (void)unused;
    pthread_mutex_lock(&gate);
    int seen = z;
    pthread_mutex_unlock(&gate);
    return (void *)(long)seen;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_early, NULL);
    pthread_mutex_lock(&gate);
    pthread_create(&reader, NULL, read_late, NULL);
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&mutex);
        x++;
        y++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_unlock(&gate);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
