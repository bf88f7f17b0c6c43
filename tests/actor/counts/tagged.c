/* The program of TACAS 2018, section 3.2: the second receive, which sees the order of the two Bs, is
 * there only if the first one takes the A of the first process.
 * expect: 12 executions, 3 with observers */
#include <heddle/actor.h>

enum { A, B };

static void sends_b_and_a(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), B);
    actor_send_tag(actor_parent(), A);
}

static void sends_a(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), A);
}

static void sends_b(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), B);
}

int main(void) {
    actor_message m;
    actor first = actor_spawn(sends_b_and_a, NULL);
    actor_spawn(sends_a, NULL);
    actor_spawn(sends_b, NULL);
    actor_receive(&m, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(A)));
    if (m.sender == first) {
        actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(B)));
    }
    return 0;
}
