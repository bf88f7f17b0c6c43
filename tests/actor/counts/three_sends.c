/* Three sends and one receive that waits. 6 traces, 3 with observers.
 * expect: 6 executions, 3 with observers */
#include <heddle/actor.h>

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        actor_spawn(sender, NULL);
    }
    actor_receive(NULL, NULL, 0, NULL);
    return 0;
}
