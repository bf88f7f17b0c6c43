// The results of workers, which are collected when they have ended.
// verified
// RESULT_EARLY: data-race .
// JOINED_TWICE: misuse T1, a thread that was joined before
// LOCAL_RESULT: use-after-free .
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifdef RESULT_EARLY
static int *early;
#endif
static void *work(void *input) {
#ifdef LOCAL_RESULT
    int local, *result = &local;
#else
    int *result = malloc(sizeof *result);
#endif
#ifdef RESULT_EARLY
    early = result;
#endif
    *result = *(int *)input * 2;
    return result;
}
int main(void) {
    pthread_t thread;
    int input = 21;
    void *result;
    pthread_create(&thread, NULL, work, &input);
#ifdef RESULT_EARLY
    if (early != NULL) {
        input = *early;
    }
#endif
    pthread_join(thread, &result);
#ifdef JOINED_TWICE
    pthread_join(thread, &result);
#endif
    assert(*(int *)result == 42);
#ifndef LOCAL_RESULT
    free(result);
#endif
    return 0;
}
