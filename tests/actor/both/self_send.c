/* A process may send to itself; the message is there at once.
 * expect: 1 executions */
#include <assert.h>
#include <heddle/actor.h>

int main(void) {
    actor_message m;
    int number = 5;
    actor_send_value(actor_self(), 1, number);
    number = 6;
    actor_send_value(actor_self(), 2, number);
    assert(actor_receive_value(&m, number, ACTOR_MATCH(ACTOR_TAGS(2))));
    assert(number == 6 && m.sender == actor_self());
    assert(actor_receive_value(&m, number, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL)));
    assert(number == 5 && m.tag == 1);
    assert(actor_parent() == ACTOR_NONE);
    return 0;
}
