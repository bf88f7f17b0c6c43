/* Two sends and a receive of anything that does not wait. 4 traces, 3 with observers.
 * expect: 4 executions, 3 with observers */
#include <heddle/actor.h>

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
}

int main(void) {
    actor_spawn(sender, NULL);
    actor_spawn(sender, NULL);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL));
    return 0;
}
