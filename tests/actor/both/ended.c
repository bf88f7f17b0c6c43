/* What is sent to a process that has ended is dropped.
 * expect: 1 executions */
#include <assert.h>
#include <heddle/actor.h>

static void leave(void) {
    actor_exit();
}

static void short_lived(void *unused) {
    (void)unused;
    leave();
    assert(!"exit ends the process");
}

int main(void) {
    actor other = actor_spawn(short_lived, NULL);
    actor_send_tag(other, 1);
    actor_join(other);
    actor_send_tag(other, 2);
    actor_join(other);
    assert(!actor_receive(NULL, NULL, 0, ACTOR_MATCH(.timeout_ms = ACTOR_NOT_AT_ALL)));
    return 0;
}
