/* A predicate sees tag, sender and payload, and what its context says.
 * expect: 6 executions */
#include <assert.h>
#include <heddle/actor.h>

typedef struct bid {
    int amount;
    char name[12];
} bid;

static void bidder(void *argument) {
    actor_send_struct(actor_parent(), 1, bid, .amount = *(const int *)argument, .name = "bidder");
}

static bool at_least(const actor_message *m, const void *data, void *context) {
    const bid *b = data;
    return m->tag == 1 && m->size == sizeof *b && b->amount >= *(const int *)context;
}

static const int amounts[] = {10, 20, 30};

int main(void) {
    for (int i = 0; i < 3; i++) {
        actor_spawn(bidder, (void *)&amounts[i]);
    }
    int wanted = 25;
    bid b = {0};
    assert(actor_receive_value(NULL, b, ACTOR_MATCH(.predicate = at_least, .context = &wanted)));
    assert(b.amount == 30 && b.name[0] == 'b');
    wanted = 15;
    assert(actor_receive_value(NULL, b, ACTOR_MATCH(.predicate = at_least, .context = &wanted)));
    assert(b.amount == 20);
    assert(actor_receive_value(NULL, b, NULL));
    assert(b.amount == 10);
    return 0;
}
