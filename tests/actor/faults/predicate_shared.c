/* A predicate that looks at a global.
 * expect: misuse the predicate of a receive touches memory */
#include <heddle/actor.h>

static int limit = 3;

static bool small(const actor_message *m, const void *data, void *context) {
    (void)data;
    (void)context;
    return m->tag < limit;
}

int main(void) {
    actor_send_tag(actor_self(), 5);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(.predicate = small));
    return 0;
}
