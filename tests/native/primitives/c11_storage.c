// A connection per thread by tss, made once.
// verified --leaks=error
// NO_ONCE: data-race key
// OVERWRITTEN --leaks=error: leak heap block
#include <stdlib.h>
#include <threads.h>
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static void make_key(void) {
    tss_create(&key, free);
}
static int *connection(void) {
#ifdef NO_ONCE
    make_key();
#else
    call_once(&once, make_key);
#endif
    int *own = tss_get(key);
#ifndef OVERWRITTEN
    if (own == NULL)
#endif
    {
        own = calloc(1, sizeof *own);
        tss_set(key, own);
    }
    return own;
}
static int work(void *unused) {
    (void)unused;
    ++*connection();
    return ++*connection();
}
int main(void) {
    thrd_t threads[2];
    int results[2];
    thrd_create(&threads[0], work, NULL);
    thrd_create(&threads[1], work, NULL);
    thrd_join(threads[0], &results[0]);
    thrd_join(threads[1], &results[1]);
    tss_delete(key);
    return 0;
}
