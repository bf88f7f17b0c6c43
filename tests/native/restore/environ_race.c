// bug data-race: setenv writes environ
#include <pthread.h>
#include <stdlib.h>

extern char **environ;

static void *changer(void *unused) {
    setenv("A", "b", 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, changer, NULL);
    int empty = !environ;
    pthread_join(t, NULL);
    return empty;
}
