/* POSIX threads are processes too.
 * expect: 2 executions */
#include <assert.h>
#include <heddle/actor.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *thread(void *argument) {
    int number;
    actor_message m;
    actor self = actor_self();
    actor_send_value(*(const actor *)argument, 0, self);
    actor_receive_value(&m, number, NULL);
    assert(m.sender == *(const actor *)argument && actor_parent() == ACTOR_NONE);
    pthread_mutex_lock(&mutex);
    total += number;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t id;
    actor self = actor_self(), other;
    int number = 20;
    pthread_create(&id, NULL, thread, &self);
    actor_receive_value(NULL, other, NULL);
    actor_send_value(other, 1, number);
    pthread_mutex_lock(&mutex);
    total += 22;
    pthread_mutex_unlock(&mutex);
    pthread_join(id, NULL);
    assert(total == 42);
    return 0;
}
