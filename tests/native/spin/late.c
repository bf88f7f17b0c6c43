/* Each round of a loop that polls under a mutex reads something more, which another thread changes
 * under the mutex, in a way that is no plain write: that races, in rounds that are left out, too. */
#include <stdlib.h>
#include <string.h>

#include "spin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, *block;
static int data;
static atomic_int number;

static void *changes(void *argument) {
    pthread_mutex_lock(&mutex);
#if HOW == 1
    free(block);
#elif HOW == 2
    block = realloc(block, 4096);
#elif HOW == 3
    number = 1;
#elif HOW == 4
    __atomic_fetch_add(&data, 1, __ATOMIC_SEQ_CST);
#else
    memset(&data, 1, sizeof data);
#endif
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}

static int looks(void) {
#if HOW < 3
    return *block;
#elif HOW == 3
    return *(int *)&number;
#else
    return data;
#endif
}

int main(void) {
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, NULL, changes, NULL);
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
        if (!seen) {
            looks();
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
