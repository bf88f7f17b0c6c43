/* N processes send one message each; main receives them as they come. N! traces. */
#include <heddle/actor.h>

#ifndef N
#define N 3
#endif

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
}

int main(void) {
    for (int i = 0; i < N; i++) {
        actor_spawn(sender, NULL);
    }
    for (int i = 0; i < N; i++) {
        actor_receive(NULL, NULL, 0, NULL);
    }
    return 0;
}
