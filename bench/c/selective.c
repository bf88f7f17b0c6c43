/* N processes send one message each; main receives them selectively, in the order of the senders.
 * N! traces; with observers 1. */
#include <heddle/actor.h>

#ifndef N
#define N 3
#endif

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
}

int main(void) {
    actor senders[N];
    for (int i = 0; i < N; i++) {
        senders[i] = actor_spawn(sender, NULL);
    }
    for (int i = 0; i < N; i++) {
        actor_receive(NULL, NULL, 0, ACTOR_MATCH(.sender = senders[i]));
    }
    return 0;
}
