// Functions at the end run in the reverse order: what was registered last may use what came before.
// verified
// WRONG_ORDER: use-after-free .
// DETACHED_USER: use-after-free|misuse|data-race .
#include <pthread.h>
#include <stdlib.h>
static int *table;
static pthread_mutex_t lock;
static void free_table(void) {
    pthread_mutex_destroy(&lock);
    free(table);
}
static void write_table(void) {
    ++*table;
}
static void *user(void *unused) {
    pthread_mutex_lock(&lock);
    ++*table;
    pthread_mutex_unlock(&lock);
    return unused;
}
static void before_fork(void) {
    pthread_mutex_lock(&lock);
}
static void after_fork(void) {
    pthread_mutex_unlock(&lock);
}
int main(void) {
    pthread_t thread;
    table = calloc(1, sizeof *table);
    pthread_mutex_init(&lock, NULL);
    pthread_atfork(before_fork, after_fork, after_fork);
#ifdef WRONG_ORDER
    atexit(write_table);
    atexit(free_table);
#else
    atexit(free_table);
    atexit(write_table);
#endif
    pthread_create(&thread, NULL, user, NULL);
#ifdef DETACHED_USER
    pthread_detach(thread);
#else
    pthread_join(thread, NULL);
#endif
    return 0;
}
