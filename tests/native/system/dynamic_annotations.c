/* A lock of relaxed atomics and a counter whose race is benign, annotated by the functions that
 * TSan's library has. WITHOUT: the lock is not. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long is_writer);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long is_writer);
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *place, size_t size,
                             const char *reason);
void AnnotateIgnoreReadsBegin(const char *file, int line); /* no effect */
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateThreadName(const char *file, int line, const char *name);

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int value, counter;

static void *change(void *unused) {
    AnnotateThreadName(__FILE__, __LINE__, "changer");
    counter++;
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_relaxed)) {
    }
#ifndef WITHOUT
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
#endif
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    value++;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#ifndef WITHOUT
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
#endif
    atomic_flag_clear_explicit(&lock, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &counter, sizeof counter, "statistics");
    pthread_create(&thread, NULL, change, NULL);
    change(NULL);
    pthread_join(thread, NULL);
    return value - 2;
}
