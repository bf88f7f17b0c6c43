/* A lock that heddle cannot see into (its state is hidden from the race detector by relaxed
 * atomics) is annotated. WITHOUT: it is not. OTHER: with another address. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

static atomic_int ready, back;
static int message, answer, place;

static void *send(void *unused) {
    message = 42;
#ifndef WITHOUT
    __tsan_release(&ready);
#endif
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&back, memory_order_relaxed)) {
    }
    AnnotateHappensAfter(__FILE__, __LINE__, &back);
    assert(answer == 43);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
    }
#ifdef OTHER
    __tsan_acquire(&place);
#elif !defined WITHOUT
    __tsan_acquire(&ready);
#endif
    answer = message + 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &back);
    atomic_store_explicit(&back, 1, memory_order_relaxed);
    pthread_join(thread, NULL);
    (void)place;
    return 0;
}
