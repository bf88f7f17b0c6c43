/* A token goes around a ring of many processes, twice.
 * expect: 1 executions */
#include <assert.h>
#include <heddle/actor.h>

enum { PROCESSES = 100, ROUNDS = 2, NEXT, TOKEN };

static void station(void *unused) {
    actor next;
    int count;
    (void)unused;
    actor_receive_value(NULL, next, ACTOR_MATCH(ACTOR_TAGS(NEXT)));
    for (int i = 0; i < ROUNDS; i++) {
        actor_receive_value(NULL, count, ACTOR_MATCH(ACTOR_TAGS(TOKEN)));
        count++;
        actor_send_value(next, TOKEN, count);
    }
}

int main(void) {
    actor ring[PROCESSES], self = actor_self();
    int count = 0;
    for (int i = 0; i < PROCESSES; i++) {
        ring[i] = actor_spawn(station, NULL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        actor next = i + 1 < PROCESSES ? ring[i + 1] : self;
        actor_send_value(ring[i], NEXT, next);
    }
    for (int i = 0; i < ROUNDS; i++) {
        actor_send_value(ring[0], TOKEN, count);
        actor_receive_value(NULL, count, NULL);
    }
    assert(count == PROCESSES * ROUNDS);
    for (int i = 0; i < PROCESSES; i++) {
        actor_join(ring[i]);
    }
    return 0;
}
