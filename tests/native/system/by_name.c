/* Functions and variables that are found by their names. WRONG: the threads do not lock. FREED: a
 * block is used after it was freed by a function found like that. FORK, OTHER: what heddle does not
 * have. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
int shared_value = 5;
int twice(int a) {
    return 2 * a;
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *t(void *a) {
    int (*lock)(pthread_mutex_t *) = (int (*)(pthread_mutex_t *))dlsym(a, "pthread_mutex_lock");
    int (*unlock)(pthread_mutex_t *) =
        (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
#ifndef WRONG
    lock(&m);
#endif
    n++;
#ifndef WRONG
    unlock(&m);
#endif
    assert(!dlsym(a, "no_such_thing") && dlerror() && !dlerror());
    return NULL;
}
int main(void) {
    void *self = dlopen(NULL, RTLD_LAZY);
    assert(self);
    int (*f)(int) = (int (*)(int))dlsym(self, "twice");
    int *v = dlsym(RTLD_DEFAULT, "shared_value");
    assert(f(*v) == 10 && !dlerror());
    assert(dlsym(dlopen("libm.so.6", RTLD_NOW), "sin"));
    assert(!dlsym(self, "text_append") && !dlsym(self, "runtime"));
    void *(*volatile allocate)(size_t) = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    void (*volatile release)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    char *p = allocate(4);
    p[0] = 1;
    release(p);
#ifdef FREED
    p[0] = 2;
#endif
#ifdef FORK
    dlsym(self, "fork");
#endif
#ifdef OTHER
    dlopen("libother.so", RTLD_NOW);
#endif
    pthread_t a, b;
    pthread_create(&a, NULL, t, self);
    pthread_create(&b, NULL, t, self);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2 && dlclose(self) == 0);
    return 0;
}
