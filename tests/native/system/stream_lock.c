/* Streams have recursive locks, which their functions take as well. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *lines;

/* Two lines belong together. */
static void *take(void *unused) {
    char first[4], second[4];
#ifndef SPLIT
    flockfile(lines);
#endif
    assert(fgets(first, sizeof first, lines) && fgets(second, sizeof second, lines));
    assert(second[0] == first[0] + 1);
#ifndef SPLIT
    funlockfile(lines);
#endif
    return unused;
}

static void *print(void *unused) {
#ifdef CROSSED
    flockfile(stdout);
    pthread_mutex_lock(&mutex);
#else
    pthread_mutex_lock(&mutex);
    assert(ftrylockfile(stdout) == 0);
    flockfile(stdout);
    putc_unlocked('a', stdout);
    funlockfile(stdout);
#endif
    puts("b");
    funlockfile(stdout);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *report(void *unused) {
    pthread_mutex_lock(&mutex);
    printf("c\n");
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* Who asks for the state of a stream waits for its lock. */
static void *look(void *unused) {
    return ferror(stdout) ? NULL : unused;
}

static void *wait_for_nobody(void *unused) {
    return unused;
}

static void run(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    second(NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    lines = fopen("lines", "r");
    run(take, take);
    flockfile(lines);
    fclose(lines);
    lines = fopen("lines", "r");
    take(NULL);
    fclose(lines);
    run(print, report);
    lines = tmpfile();
    flockfile(lines);
    fclose(lines);
#ifdef STATE
    flockfile(stdout);
    run(look, wait_for_nobody);
#endif
    (void)look, (void)wait_for_nobody;
    return 0;
}
