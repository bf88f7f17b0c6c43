/* A predicate that follows a null pointer.
 * expect: crash segmentation fault */
#include <heddle/actor.h>

static bool follows(const actor_message *m, const void *data, void *context) {
    (void)m;
    (void)data;
    return *(const int *)context == 0;
}

int main(void) {
    actor_send_tag(actor_self(), 5);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(.predicate = follows));
    return 0;
}
