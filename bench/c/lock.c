/* A process that is a lock, and N workers that acquire and release it. The sends to the lock are
 * ordered: N! orders of the acquisitions, and as many ways to put the releases between them as the
 * N-th Catalan number says. 3: 30, 4: 336, 5: 5040, 6: 95040; with observers N!. */
#include <heddle/actor.h>

#ifndef N
#define N 3
#endif

enum { ACQUIRE, ACQUIRED, RELEASE };

static void lock(void *unused) {
    actor_message m;
    (void)unused;
    for (int i = 0; i < N; i++) {
        actor_receive(&m, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(ACQUIRE)));
        actor_send_tag(m.sender, ACQUIRED);
        actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(RELEASE), .sender = m.sender));
    }
}

static void worker(void *process) {
    actor mutex = (actor)(uintptr_t)process;
    actor_send_tag(mutex, ACQUIRE);
    actor_receive(NULL, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(ACQUIRED)));
    actor_send_tag(mutex, RELEASE);
}

int main(void) {
    actor mutex = actor_spawn(lock, NULL);
    for (int i = 0; i < N; i++) {
        actor_spawn(worker, (void *)(uintptr_t)mutex);
    }
    return 0;
}
