/* Two sends and a receive of anything. 2 traces, also with observers: the receive sees which of the
 * messages came first.
 * expect: 2 executions */
#include <heddle/actor.h>

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
}

int main(void) {
    actor_spawn(sender, NULL);
    actor_spawn(sender, NULL);
    actor_receive(NULL, NULL, 0, NULL);
    return 0;
}
