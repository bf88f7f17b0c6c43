/* The message does not fit.
 * expect: misuse a message of 8 bytes \(tag 1\) is received where there is room for 4 */
#include <heddle/actor.h>

int main(void) {
    long sent = 1;
    int room;
    actor_send_value(actor_self(), 1, sent);
    actor_receive_value(NULL, room, NULL);
    return 0;
}
