/* What is polled under a mutex is looked at in another way each: whatever comes after the loop must
 * be reached. LATE: after the unlock, which races. */
#include <stdlib.h>
#include <string.h>

#include "spin.h"

typedef struct state {
    long ready, other;
    char name[24];
} state;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static state global;

static void *sets(void *argument) {
    state *s = argument;
    pthread_mutex_lock(&mutex);
    s->ready = 1;
    strcpy(s->name, "ready");
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static int looks(const state *s) {
#if LOOK == 1
    state copy = *s;
    return copy.ready != 0;
#elif LOOK == 2
    state copy;
    memcpy(&copy, s, sizeof copy);
    return copy.ready != 0;
#elif LOOK == 3
    return strcmp(s->name, "ready") == 0;
#elif LOOK == 4
    return strlen(s->name) == 5;
#elif LOOK == 5
    return memcmp(s->name, "ready", 6) == 0;
#else
    return s->ready != 0;
#endif
}

int main(void) {
    pthread_t thread;
    state local = {0}, *wide = calloc(200, sizeof *wide), *s = &global;
    s = PLACE == 1 ? &local : PLACE == 2 ? wide + 3 : s;
    pthread_create(&thread, NULL, sets, s);
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
#ifdef LATE
        pthread_mutex_unlock(&mutex);
        seen = looks(s);
#else
        seen = looks(s);
        pthread_mutex_unlock(&mutex);
#endif
    }
    pthread_join(thread, NULL);
    free(wide);
#ifdef BUG
    assert(!"reached");
#endif
}
