/* The payload is not there.
 * expect: crash segmentation fault */
#include <heddle/actor.h>

int main(void) {
    actor_send(actor_self(), 0, (const void *)16, 8);
    return 0;
}
