/* Thread-local variables that the program wants at fixed places of the thread's memory. */
#include <assert.h>
#include <pthread.h>

static __thread int first __attribute__((tls_model("initial-exec"))) = 3;
_Thread_local int second __attribute__((__tls_model__("local-exec"))) = 4;
extern __thread int third __attribute__((tls_model("local-dynamic")));
__thread int third = 5;

static void *run(void *none) {
    int *pointer = &first;
    ++*pointer;
    second++;
    third++;
    assert(first == 4 && second == 5 && third == 6);
    return none;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == 3 && second == 4 && third == 5);
}
