/* Each part of the state that a step can change and that going back must restore; and asserts that
 * the outcome does not depend on what was explored before. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct node *list;
static atomic_int turn, done;
static _Thread_local int mine;
static char words[] = "one two three";

/* The dead stack below a frame holds what an earlier call left there, not what was undone. */
__attribute__((noinline)) static uint32_t read_dead_stack(int depth) {
    volatile uint32_t frame[16];
    uint32_t sum = 0;
    if (depth) {
        for (int i = 0; i < 16; i++) {
            frame[i] = 7;
        }
        sum = frame[3];
    }
    return sum;
}

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->name = strdup(value ? "some" : "none");
    pthread_mutex_lock(&lock);
    n->next = list;
    list = n;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (!list) {
        pthread_cond_wait(&changed, &lock);
    }
    struct node *n = list;
    list = n->next;
    pthread_mutex_unlock(&lock);
    int value = n->value;
    assert(strlen(n->name) == 4);
    free(n->name);
    free(n);
    return value;
}

static void *producer(void *argument) {
    assert(mine == 0 && errno == 0);
    mine = errno = 1;
    read_dead_stack(1);
    push((int)(intptr_t)argument);
    assert(mine == 1 && errno == 1);
    atomic_fetch_add(&turn, 1);
    return NULL;
}

static void *consumer(void *argument) {
    (void)argument;
    int *sum = calloc(1, sizeof *sum);
    *sum = take() + take();
    sum = realloc(sum, 100);
    int expected = 2;
    if (atomic_compare_exchange_strong(&turn, &expected, 10)) {
        atomic_store(&done, 1);
    }
    return sum;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutex_t local;
    int *sum;
    assert(!strcmp(strtok(words, " "), "one") && list == NULL && turn == 0);
    pthread_mutex_init(&local, NULL);
    pthread_create(&threads[0], NULL, producer, (void *)0);
    pthread_create(&threads[1], NULL, producer, (void *)1);
    pthread_create(&threads[2], NULL, consumer, NULL);
    pthread_join(threads[2], (void **)&sum);
    assert(!strcmp(strtok(NULL, " "), "two"));
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_mutex_destroy(&local);
    assert(*sum == 1 && !list && (turn == 2 || turn == 10));
    free(sum);
    return 0;
}
