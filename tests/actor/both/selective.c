/* Tags and senders choose; what was not chosen stays, in its order.
 * expect: 4 executions, 1 with observers */
#include <assert.h>
#include <heddle/actor.h>

enum { RED, GREEN, BLUE };

static void painter(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), RED);
    actor_send_tag(actor_parent(), GREEN);
    actor_send_tag(actor_parent(), BLUE);
}

static void other(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), GREEN);
}

static int received(const actor_pattern *pattern, actor from) {
    actor_message m;
    assert(actor_receive(&m, NULL, 0, pattern));
    assert(m.sender == from && m.size == 0);
    return m.tag;
}

int main(void) {
    actor first = actor_spawn(painter, NULL), second = actor_spawn(other, NULL);
    assert(received(ACTOR_MATCH(.sender = second), second) == GREEN);
    assert(received(ACTOR_MATCH(ACTOR_TAGS(BLUE, GREEN)), first) == GREEN);
    assert(received(ACTOR_MATCH(ACTOR_TAGS(BLUE), .sender = first), first) == BLUE);
    assert(received(NULL, first) == RED);
    assert(!actor_receive(NULL, NULL, 0, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL)));
    return 0;
}
