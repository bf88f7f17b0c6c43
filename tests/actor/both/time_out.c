/* Time-outs: not at all, some time, forever; what has been received can no longer time out.
 * expect: 3 executions */
#include <assert.h>
#include <heddle/actor.h>

enum { EARLY, LATE };

static void sender(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), LATE);
}

int main(void) {
    actor_message m = {.tag = 7};
    assert(!actor_receive(&m, NULL, 0, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL)) && m.tag == 7);
    assert(!actor_receive(&m, NULL, 0, ACTOR_MATCH(.timeout_ms = 5)) && m.tag == 7);
    actor_spawn(sender, NULL);
    bool came = actor_receive(&m, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(LATE), .timeout_ms = 1)) ||
                actor_receive(&m, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(LATE), .timeout_ms = 1));
    assert(!actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(EARLY), .timeout_ms = 1)));
    if (!came) {
        assert(actor_receive(&m, NULL, 0, NULL));
    }
    assert(m.tag == LATE);
    assert(!actor_receive(NULL, NULL, 0, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL)));
    return 0;
}
