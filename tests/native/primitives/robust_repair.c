// The next owner of a robust mutex repairs what the dead one left half done.
// verified
// NO_REPAIR: assertion left == right
// NO_CONSISTENT: assertion status == 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t lock;
static int left, right;
static void *dies(void *unused) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&lock);
        left = right;
    }
    left++;
    pthread_exit(unused);
}
static void *works(void *unused) {
    int status = pthread_mutex_lock(&lock);
    if (status == EOWNERDEAD) {
#ifndef NO_REPAIR
        left = right;
#endif
#ifndef NO_CONSISTENT
        pthread_mutex_consistent(&lock);
#endif
        status = 0;
    }
    assert(status == 0);
    left++;
    right++;
    assert(left == right);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&threads[0], NULL, dies, NULL);
    pthread_create(&threads[1], NULL, works, NULL);
    pthread_create(&threads[2], NULL, works, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
