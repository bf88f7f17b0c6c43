/* Large payloads, on the heap and on the stack; room that is larger than the message; a payload
 * that nobody wants.
 * expect: 1 executions */
#include <assert.h>
#include <heddle/actor.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 100000 };

static void echo(void *unused) {
    static char room[2 * SIZE];
    actor_message m;
    (void)unused;
    actor_receive(&m, room, sizeof room, NULL);
    assert(m.size == SIZE);
    actor_send(m.sender, m.tag, room, m.size);
    actor_receive(&m, NULL, 0, NULL);
    assert(m.size == SIZE);
}

int main(void) {
    actor other = actor_spawn(echo, NULL);
    char *sent = malloc(SIZE), back[SIZE];
    memset(sent, 'x', SIZE);
    sent[SIZE - 1] = 'y';
    actor_send(other, 3, sent, SIZE);
    actor_receive(NULL, back, SIZE, ACTOR_MATCH(ACTOR_TAGS(3), .sender = other));
    assert(memcmp(sent, back, SIZE) == 0);
    free(sent);
    actor_send(other, 4, back, SIZE);
    actor_join(other);
    return 0;
}
