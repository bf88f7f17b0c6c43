/* What the sender does after the send is not synchronised.
 * expect: data-race data race on global */
#include <heddle/actor.h>

static int global;

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), 0);
    global = 1;
}

int main(void) {
    actor_spawn(sender, NULL);
    actor_receive(NULL, NULL, 0, NULL);
    return global;
}
