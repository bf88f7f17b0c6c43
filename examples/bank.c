/* Two accounts, a lock for each, and a transfer that takes both: from its own account first, then
 * from the other. Two transfers in opposite directions can wait for each other forever. With
 * -DORDERED the locks are taken in one order, and heddle proves that the money stays the same. */
#include <assert.h>
#include <pthread.h>

typedef struct account {
    pthread_mutex_t lock;
    int balance;
} account;

static account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(account *from, account *to, int amount) {
    account *first = from, *second = to;
#ifdef ORDERED
    if (first > second) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *nothing) {
    transfer(&accounts[0], &accounts[1], 30);
    return nothing;
}

static void *back(void *nothing) {
    transfer(&accounts[1], &accounts[0], 50);
    return nothing;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, there, NULL);
    pthread_create(&other, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(accounts[0].balance + accounts[1].balance == 200);
    return 0;
}
