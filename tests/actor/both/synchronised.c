/* A message carries what its sender did before: no data race on what is passed on.
 * expect: 1 executions */
#include <assert.h>
#include <heddle/actor.h>
#include <stdlib.h>

static int global;

static void owner(void *unused) {
    int *block = malloc(sizeof *block);
    (void)unused;
    *block = 41;
    global = 1;
    actor_send_value(actor_parent(), 0, block);
}

int main(void) {
    int *block;
    actor_spawn(owner, NULL);
    actor_receive_value(NULL, block, NULL);
    assert(*block + global == 42);
    free(block);
    return 0;
}
