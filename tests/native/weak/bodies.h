/* A program whose threads run body(0), body(1), …, for sources that choose it by WHAT. Included last; BEGIN is
 * what main does first. */
#ifndef BEGIN
#define BEGIN
#endif

static void *run(void *argument) {
    body((int)(long)argument);
    return NULL;
}

int main(void) {
    pthread_t ids[THREADS];
    BEGIN;
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&ids[i], NULL, run, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
    return 0;
}
