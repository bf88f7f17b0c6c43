/* A thread looks at a local of main after main has returned and functions of atexit have run. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static char *p;
static int v[4];
static void at(void) {
    char buf[2000];
    memset(buf, 1, sizeof buf);
    v[0] = buf[3];
    free(p);
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *q) {
    int *a = q;
    pthread_mutex_lock(&m);
    for (int i = 0; i < 16; i++)
        assert(a[i] == i + 1);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    int a[16];
    pthread_t t;
    for (int i = 0; i < 16; i++)
        a[i] = i + 1;
    atexit(at);
    p = malloc(10);
    pthread_create(&t, 0, run, a);
    return 0;
}
