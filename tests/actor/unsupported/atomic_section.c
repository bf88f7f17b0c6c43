/* A receive would wait inside an atomic section.
 * expect: unsupported: actor_receive inside an atomic section */
#include <heddle.h>
#include <heddle/actor.h>

int main(void) {
    heddle_atomic_begin();
    actor_receive(NULL, NULL, 0, NULL);
    heddle_atomic_end();
    return 0;
}
