/* Nobody has this number.
 * expect: misuse actor_send to 17, which is not a process */
#include <heddle/actor.h>

int main(void) {
    actor_send_tag(17, 0);
    return 0;
}
