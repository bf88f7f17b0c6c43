// A list with a lock: the elements are taken out under the lock and freed after it.
// verified
// CHECK_THEN_ACT: data-race head
// FREE_TWICE: double-free|use-after-free|data-race .
#include <pthread.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
static pthread_mutex_t lock;
static struct node *head;
static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
}
static void *pop(void *unused) {
#ifdef CHECK_THEN_ACT
    if (head == NULL) {
        return unused;
    }
#endif
    pthread_mutex_lock(&lock);
    struct node *node = head;
#ifdef FREE_TWICE
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (node != NULL) {
        head = node->next;
    }
    pthread_mutex_unlock(&lock);
    free(node);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_mutex_init(&lock, NULL);
    push(1);
    pthread_create(&threads[0], NULL, pop, NULL);
    pthread_create(&threads[1], NULL, pop, NULL);
    push(2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    while (head != NULL) {
        pop(NULL);
    }
    pthread_mutex_destroy(&lock);
    return 0;
}
