/* Flanagan and Godefroid, POPL 2005. 2^(N-13) traces. */
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 14
#endif
enum { INODES = 32, BLOCKS = 26 };

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static void *worker(void *argument) {
    int i = (int)((intptr_t)argument % INODES);
    pthread_mutex_lock(&inode_locks[i]);
    if (inodes[i] == 0) {
        int b = (i * 2) % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&block_locks[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inodes[i] = b + 1;
                pthread_mutex_unlock(&block_locks[b]);
                break;
            }
            pthread_mutex_unlock(&block_locks[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_locks[i]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (intptr_t i = 0; i < N; i++) {
        pthread_create(&thread, NULL, worker, (void *)i);
    }
    return 0;
}
