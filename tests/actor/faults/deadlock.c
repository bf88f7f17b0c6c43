/* The answer has another tag than the one that is waited for.
 * expect: deadlock tag 2 or 3 from T1; its mailbox holds tag 1 from T1, tag 4 from T2 */
#include <heddle/actor.h>

static void server(void *unused) {
    (void)unused;
    actor_receive(NULL, NULL, 0, NULL);
    actor_send_tag(actor_parent(), 1);
}

static void other(void *unused) {
    (void)unused;
    actor_receive(NULL, NULL, 0, NULL);
    actor_send_tag(actor_parent(), 4);
}

int main(void) {
    actor first = actor_spawn(server, NULL), second = actor_spawn(other, NULL);
    actor_send_tag(first, 0);
    actor_join(first);
    actor_send_tag(second, 0);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(2, 3), .sender = first));
    return 0;
}
