/* Two processes wait for each other.
 * expect: deadlock T1 waits in .* anything that its predicate accepts; its mailbox is empty */
#include <heddle/actor.h>

static bool never(const actor_message *m, const void *data, void *context) {
    (void)m;
    (void)data;
    (void)context;
    return false;
}

static void waits(void *unused) {
    (void)unused;
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(.predicate = never));
}

int main(void) {
    actor_join(actor_spawn(waits, NULL));
    return 0;
}
