// A ring of two cells whose lock is held by whoever moves its ends.
// verified
// TWICE: deadlock|livelock waits for lock, held by itself
// NOT_INITIALISED: misuse spin lock that was not initialised
// DESTROYED_EARLY: misuse spin lock that (was destroyed|is locked)
#include <pthread.h>
static pthread_spinlock_t lock;
static int cells[2];
static unsigned head, tail;
static unsigned room(void) {
#ifdef TWICE
    pthread_spin_lock(&lock);
#endif
    unsigned free_cells = 2 - (head - tail);
#ifdef TWICE
    pthread_spin_unlock(&lock);
#endif
    return free_cells;
}
static void *put(void *unused) {
    pthread_spin_lock(&lock);
    if (room() > 0) {
        cells[head++ % 2] = 1;
    }
    pthread_spin_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifndef NOT_INITIALISED
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_create(&thread, NULL, put, NULL);
    pthread_spin_lock(&lock);
    if (head != tail) {
        cells[tail++ % 2] = 0;
    }
    pthread_spin_unlock(&lock);
#ifdef DESTROYED_EARLY
    pthread_spin_destroy(&lock);
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    pthread_spin_destroy(&lock);
#endif
    return 0;
}
