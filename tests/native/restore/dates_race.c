// bug data-race: gmtime and localtime return one variable of the process
#include <pthread.h>
#include <time.h>

static void *other(void *unused) {
    time_t now = 0;
    localtime(&now);
    return unused;
}

int main(void) {
    pthread_t t;
    time_t day = 86400;
    pthread_create(&t, NULL, other, NULL);
    gmtime(&day);
    pthread_join(t, NULL);
    return 0;
}
