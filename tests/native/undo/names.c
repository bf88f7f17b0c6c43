/* The name of another thread is put back when heddle goes back by the log. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int x;
static void *run(void *u) {
    x++;
    x++;
    x++;
    return u;
}
int main(void) {
    pthread_t t;
    char name[16];
    pthread_create(&t, 0, run, 0);
    pthread_getname_np(t, name, sizeof name);
    assert(strcmp(name, "new") != 0);
    for (int i = 0; i < 6; i++)
        x++;
    pthread_setname_np(t, "new");
    x++;
    pthread_join(t, 0);
    return 0;
}
