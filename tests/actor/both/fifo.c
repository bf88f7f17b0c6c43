/* What one process sends to another arrives in the order sent, whatever comes between.
 * expect: 20 executions */
#include <assert.h>
#include <heddle/actor.h>

enum { MESSAGES = 3 };

static void sender(void *unused) {
    (void)unused;
    for (int i = 0; i < MESSAGES; i++) {
        actor_send_value(actor_parent(), i, i);
    }
}

int main(void) {
    actor senders[] = {actor_spawn(sender, NULL), actor_spawn(sender, NULL)};
    int next[] = {0, 0};
    for (int i = 0; i < 2 * MESSAGES; i++) {
        actor_message m;
        int number = -1;
        assert(actor_receive_value(&m, number, NULL));
        int which = m.sender == senders[1];
        assert(m.sender == senders[which] && m.size == sizeof number && m.tag == number);
        assert(number == next[which]++);
    }
    return 0;
}
