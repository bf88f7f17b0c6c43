/* --model=rc11: the last user frees the block, but the other's use is not ordered before that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct block {
    atomic_int users;
    int content;
};

static void *leave(void *argument) {
    struct block *block = argument;
    int content = block->content;
    if (atomic_fetch_sub_explicit(&block->users, 1, memory_order_relaxed) == 1) {
        free(block);
    }
    return content ? argument : NULL;
}

int main(void) {
    struct block *block = malloc(sizeof *block);
    pthread_t thread;
    atomic_init(&block->users, 2);
    block->content = 0;
    pthread_create(&thread, NULL, leave, block);
    leave(block);
    pthread_join(thread, NULL);
    return 0;
}
