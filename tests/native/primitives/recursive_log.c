// A log whose functions call each other under one recursive lock.
// verified
// FORGET_ONE: deadlock waits for
// PLAIN: deadlock waits for
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock;
static int lines, bytes;
static void append(int length) {
    pthread_mutex_lock(&lock);
    lines++;
    bytes += length;
    pthread_mutex_unlock(&lock);
}
static void rotate(void) {
    pthread_mutex_lock(&lock);
    if (bytes > 3) {
        lines = bytes = 0;
        append(1);
#ifdef FORGET_ONE
        return;
#endif
    }
    pthread_mutex_unlock(&lock);
}
static void *writer(void *unused) {
    append(2);
    rotate();
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#ifndef PLAIN
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    append(1);
    assert(lines == 2 && bytes == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
