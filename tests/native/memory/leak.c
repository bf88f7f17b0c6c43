/* What is lost when the program ends: cases 1, 2, 3, 5, 7 and 9 lose something. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node {
    struct node *next;
    int v;
};
static struct node *list;
static char *inside;
static _Thread_local char *tl;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *shared;
static void *swap(void *p) {
    char *mine = malloc(10);
    pthread_mutex_lock(&m);
    if (shared && p)
        free(shared);
    shared = mine;
    pthread_mutex_unlock(&m);
    return 0;
}
static pthread_key_t key;
static void *keep(void *p) {
    pthread_setspecific(key, malloc(3000));
    return p;
}
int main(int argc, char **argv) {
    int k = atoi(argv[1]);
    pthread_t t[2];
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    inside = (char *)malloc(100) + 50;
    tl = malloc(5);
    /* only on the stack of main, which returns, or calls exit (4) */
    if (k == 1) {
        char *p = malloc(24);
        p[0] = 1;
    }
    if (k == 2) {
        list = list->next->next;
    }
    if (k == 3)
        list = 0;
    if (k == 4) {
        char *p = malloc(1);
        p[0] = 1;
        exit(0);
    }
    if (k == 5 || k == 6) {
        void *p = k == 6 ? "" : 0;
        for (int i = 0; i < 2; i++)
            pthread_create(&t[i], 0, swap, p);
        for (int i = 0; i < 2; i++)
            pthread_join(t[i], 0);
    }
    if (k == 7) {
        malloc(100000);
    }
    /* a value of main's, or of a thread that ends (9) */
    if (k == 8 || k == 9) {
        pthread_key_create(&key, NULL);
        if (k == 8) {
            keep(NULL);
        } else {
            pthread_create(&t[0], 0, keep, NULL);
            pthread_join(t[0], 0);
        }
    }
    return 0;
}
