// A table that the first user fills.
// verified
// DOUBLE_CHECKED: data-race .
// OWN_ONCE: data-race table
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int filled, table[2];
static void fill(void) {
    table[0] = 1;
    table[1] = 2;
    filled = 1;
}
static int get(int index) {
#ifdef DOUBLE_CHECKED
    if (!filled) {
        pthread_once(&once, fill);
    }
#elif defined OWN_ONCE
    pthread_once_t own = PTHREAD_ONCE_INIT;
    pthread_once(&own, fill);
#else
    pthread_once(&once, fill);
#endif
    return table[index];
}
static void *use(void *unused) {
    assert(get(1) == 2);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    assert(get(0) == 1);
    pthread_join(thread, NULL);
    return 0;
}
