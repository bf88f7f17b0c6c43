/* Whoever spawns a monitored process hears of its end, after all else that it sent.
 * expect: 6 executions */
#include <assert.h>
#include <heddle/actor.h>

enum { RESULT, DOWN };

static void worker(void *unused) {
    (void)unused;
    actor_send_tag(actor_parent(), RESULT);
}

int main(void) {
    actor workers[2];
    for (int i = 0; i < 2; i++) {
        workers[i] = actor_spawn_monitored(worker, NULL, DOWN);
    }
    bool result[2] = {false}, down[2] = {false};
    for (int i = 0; i < 4; i++) {
        actor_message m;
        actor_receive(&m, NULL, 0, NULL);
        int which = m.sender == workers[1];
        assert(m.sender == workers[which]);
        bool *seen = m.tag == DOWN ? down : result;
        assert(!seen[which] && (m.tag == RESULT || result[which]));
        seen[which] = true;
    }
    return 0;
}
