/* A predicate that sends.
 * expect: misuse actor_send inside */
#include <heddle/actor.h>

static bool forwards(const actor_message *m, const void *data, void *context) {
    (void)data;
    (void)context;
    actor_send_tag(m->sender, 9);
    return true;
}

int main(void) {
    actor_send_tag(actor_self(), 5);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(.predicate = forwards));
    return 0;
}
