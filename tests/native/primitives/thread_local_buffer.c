// A function that returns a buffer of the thread.
// verified
// STATIC: data-race text
// HANDED_ON: use-after-free|data-race .
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifdef STATIC
static char text[16] = "empty";
#else
static _Thread_local char text[16] = "empty";
#endif
static const char *format(int number) {
    snprintf(text, sizeof text, "number %d", number);
    return text;
}
static void *work(void *unused) {
#ifdef HANDED_ON
    return (void *)format(2);
#endif
    assert(strcmp(format(2), "number 2") == 0);
    return unused;
}
int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    assert(strcmp(format(1), "number 1") == 0);
    pthread_join(thread, &result);
#ifdef HANDED_ON
    return *(char *)result;
#endif
    return result != NULL;
}
