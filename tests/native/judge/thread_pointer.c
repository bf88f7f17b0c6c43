/* The thread pointer as the number of a thread, as allocators use it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static uintptr_t early;

static uintptr_t word(size_t slot) {
    void *result;
    const size_t offset = slot * sizeof(void *);
    __asm__("movq %%fs:%1, %0" : "=r"(result) : "m"(*((void **)offset)) :);
    return (uintptr_t)result;
}

static uintptr_t own_address(void) {
    void *result;
    __asm__("mov %%fs:0, %0" : "=r"(result));
    return (uintptr_t)result;
}

__attribute__((constructor)) static void start(void) {
    early = word(0);
}

static void *worker(void *other) {
    uintptr_t mine = (uintptr_t)__builtin_thread_pointer();
    assert(mine == word(0) && mine == own_address() && mine != *(uintptr_t *)other);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t t, u;
    uintptr_t mine = word(0);
    (void)arguments;
    assert(mine == (uintptr_t)__builtin_thread_pointer() && mine == early && mine == own_address());
    pthread_create(&t, NULL, worker, &mine);
    pthread_create(&u, NULL, worker, &mine);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(mine == word(0));
    return count > 1 ? (int)word(2) : 0;
}
