/* A register that is kept by three replicas, of which any majority is enough (after Attiya, Bar-Noy
 * and Dolev). The value with the highest version counts. A writer writes once; a reader reads
 * twice, and what it has seen once it must not see undone.
 *
 *     heddle check --algorithm=observers examples/replicated-register.c
 *     heddle check -DFORGETFUL examples/replicated-register.c     the second read is older
 *     gcc examples/replicated-register.c -lheddle-actor -pthread
 *
 * Before a reader returns a value that not all of a majority have, it writes it back to one. The
 * forgetful one does not: if only one replica has got the new value yet, the next read may hear of
 * the other two. */
#include <assert.h>
#include <heddle/actor.h>

enum { REPLICAS = 3, MAJORITY = REPLICAS / 2 + 1 };
enum { STORE, ASK, STOP, ANSWERS }; /* tags from ANSWERS on number the questions */

typedef struct version {
    int number, value;
} version;

typedef struct request {
    version stored; /* of STORE */
    int answer;     /* tag of the answer; 0: none is wanted */
} request;

static void replica(void *unused) {
    version mine = {0};
    request r;
    actor_message m;
    (void)unused;
    while (actor_receive_value(&m, r, NULL) && m.tag != STOP) {
        if (m.tag == STORE && r.stored.number > mine.number) {
            mine = r.stored;
        }
        if (r.answer) {
            actor_send_value(m.sender, r.answer, mine);
        }
    }
}

static void tell_all(const actor *replicas, int tag, request r) {
    for (int i = 0; i < REPLICAS; i++) {
        actor_send_value(replicas[i], tag, r);
    }
}

/* The latest version that a majority knows of; whether all of that majority know it. */
static version hear_majority(int answer, bool *agreed) {
    version latest = {0}, heard;
    *agreed = true;
    for (int i = 0; i < MAJORITY; i++) {
        actor_receive_value(NULL, heard, ACTOR_MATCH(ACTOR_TAGS(answer)));
        *agreed = *agreed && (i == 0 || heard.number == latest.number);
        if (heard.number > latest.number) {
            latest = heard;
        }
    }
    return latest;
}

static void writer(void *replicas) {
    tell_all(replicas, STORE, (request){.stored = {.number = 1, .value = 42}});
}

static int read_register(const actor *replicas, int *question) {
    bool agreed;
    tell_all(replicas, ASK, (request){.answer = ++*question});
    version latest = hear_majority(*question, &agreed);
#ifndef FORGETFUL
    if (!agreed) {
        tell_all(replicas, STORE, (request){.stored = latest, .answer = ++*question});
        hear_majority(*question, &agreed);
    }
#endif
    return latest.value;
}

int main(void) {
    actor replicas[REPLICAS];
    for (int i = 0; i < REPLICAS; i++) {
        replicas[i] = actor_spawn(replica, NULL);
    }
    actor other = actor_spawn(writer, replicas);
    int question = ANSWERS;
    int first = read_register(replicas, &question);
    int second = read_register(replicas, &question);
    assert(first == 0 || second == first);
    actor_join(other);
    tell_all(replicas, STOP, (request){.answer = 0});
    return 0;
}
