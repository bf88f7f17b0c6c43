/* Sends of a, b and a; a receive of a that does not wait, then one of anything. 12 traces, 7 with
 * observers.
 * expect: 12 executions, 7 with observers */
#include <heddle/actor.h>

enum { A, B };

static void sends_a(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), A);
}

static void sends_b(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), B);
}

int main(void) {
    actor_spawn(sends_a, NULL);
    actor_spawn(sends_b, NULL);
    actor_spawn(sends_a, NULL);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(A), .timeout_ms = ACTOR_NOT_AT_ALL));
    actor_receive(NULL, NULL, 0, NULL);
    return 0;
}
