// Transfers between accounts: both locks are taken in the order of the accounts.
// verified
// OPPOSITE: deadlock waits for .*held by
// EARLY_RETURN: deadlock waits for
#include <assert.h>
#include <pthread.h>
struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5},
                                     {PTHREAD_MUTEX_INITIALIZER, 5}};
static int transfer(int from, int to, int amount) {
#ifdef OPPOSITE
    int first = from, second = to;
#else
    int first = from < to ? from : to, second = from < to ? to : from;
#endif
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[second].lock);
    if (accounts[from].balance < amount) {
#ifndef EARLY_RETURN
        pthread_mutex_unlock(&accounts[second].lock);
        pthread_mutex_unlock(&accounts[first].lock);
#endif
        return -1;
    }
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
    return 0;
}
static void *customer(void *unused) {
    transfer(0, 1, 4);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, customer, NULL);
    transfer(1, 0, 6);
    pthread_join(thread, NULL);
    assert(accounts[0].balance + accounts[1].balance == 10);
    return 0;
}
