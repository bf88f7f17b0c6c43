/* Everyday C: structs from malloc, recursion, qsort, snprintf, function pointers, and a lock per
 * account taken in the order of the accounts. With BUG in the order of the arguments: three
 * transfers in a cycle can lock each other out.
 * expect: errors none
 * expect -DBUG: errors deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct account {
    int id;
    long balance;
    char name[16];
    pthread_mutex_t mutex;
} account;

typedef struct transfer {
    account *from, *to;
    long amount;
    void (*log)(const struct transfer *);
} transfer;

static char journal[3][48];
static _Atomic int journal_used;

static void write_log(const transfer *t) {
    int line = journal_used++;
    snprintf(journal[line], sizeof journal[line], "%s->%s:%ld", t->from->name, t->to->name,
             t->amount);
}

static void *run(void *argument) {
    const transfer *t = argument;
    account *first = t->from, *second = t->to;
#ifndef BUG
    if (first->id > second->id) {
        first = t->to;
        second = t->from;
    }
#endif
    pthread_mutex_lock(&first->mutex);
    pthread_mutex_lock(&second->mutex);
    t->from->balance -= t->amount;
    t->to->balance += t->amount;
    pthread_mutex_unlock(&second->mutex);
    pthread_mutex_unlock(&first->mutex);
    t->log(t);
    return NULL;
}

static int by_balance(const void *a, const void *b) {
    const account *x = *(account *const *)a, *y = *(account *const *)b;
    return x->balance < y->balance ? -1 : x->balance > y->balance;
}

static long sum(account **accounts, int count) {
    return count == 0 ? 0 : accounts[0]->balance + sum(accounts + 1, count - 1);
}

int main(void) {
    account *accounts[3];
    for (int i = 0; i < 3; i++) {
        accounts[i] = calloc(1, sizeof(account));
        accounts[i]->id = i;
        accounts[i]->balance = 100 * (3 - i);
        snprintf(accounts[i]->name, sizeof accounts[i]->name, "acc%d", i);
        pthread_mutex_init(&accounts[i]->mutex, NULL);
    }
    transfer transfers[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        transfers[i] = (transfer){accounts[i], accounts[(i + 1) % 3], 30 - 10 * i, write_log};
        pthread_create(&threads[i], NULL, run, &transfers[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(sum(accounts, 3) == 600);
    qsort(accounts, 3, sizeof accounts[0], by_balance);
    assert(accounts[0]->id == 2 && accounts[2]->id == 0);
    int found = 0;
    for (int i = 0; i < 3; i++) {
        found += strcmp(journal[i], "acc0->acc1:30") == 0;
    }
    assert(found == 1);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_destroy(&accounts[i]->mutex);
        free(accounts[i]);
    }
    return 0;
}
