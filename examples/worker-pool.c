/* A pool of workers and a supervisor that replaces those that die. Some jobs are too much for a
 * worker: job 0 kills the first one that tries it, job 1 too, but only after the result was sent.
 * Every job has to be done exactly once.
 *
 *     heddle check examples/worker-pool.c          verified
 *     heddle check -DHASTY examples/worker-pool.c  a job is done twice
 *     gcc examples/worker-pool.c -lheddle-actor -pthread
 *
 * The hasty supervisor tends to the dead first: when it hears of a death, the result of the same
 * worker may still be in its mailbox, and the job is given out again. */
#include <assert.h>
#include <heddle/actor.h>

enum { WORKERS = 2, JOBS = 3, NOTHING = -1 };
enum { JOB, RESULT, DEATH, STOP };

typedef struct job {
    int number, attempt;
} job;

typedef struct pool {
    actor workers[WORKERS];
    job given[WORKERS]; /* number NOTHING: the worker is idle */
    job waiting[JOBS];
    int waiting_count;
    int done[JOBS], finished;
} pool;

/* ---- a worker ---- */

static void work(void *unused) {
    actor_message m;
    job task = {0};
    (void)unused;
    while (actor_receive_value(&m, task, NULL) && m.tag == JOB) {
        if (task.number == 0 && task.attempt == 0) {
            return;
        }
        actor_send_value(m.sender, RESULT, task);
        if (task.number == 1 && task.attempt == 0) {
            return;
        }
    }
}

/* ---- the supervisor ---- */

/* NOTHING if it has been replaced. */
static int place_of(const pool *p, actor worker) {
    for (int i = 0; i < WORKERS; i++) {
        if (p->workers[i] == worker) {
            return i;
        }
    }
    return NOTHING;
}

static void hire(pool *p, int place) {
    p->workers[place] = actor_spawn_monitored(work, NULL, DEATH);
    p->given[place].number = NOTHING;
}

static void give_out(pool *p) {
    for (int i = 0; i < WORKERS && p->waiting_count; i++) {
        if (p->given[i].number == NOTHING) {
            p->given[i] = p->waiting[--p->waiting_count];
            actor_send_value(p->workers[i], JOB, p->given[i]);
        }
    }
}

static void on_result(pool *p, actor worker, int number) {
    p->done[number]++;
    assert(p->done[number] == 1);
    p->finished++;
    int place = place_of(p, worker);
    if (place != NOTHING) {
        p->given[place].number = NOTHING;
    }
}

static void on_death(pool *p, actor worker) {
    int place = place_of(p, worker);
    job lost = p->given[place];
    if (lost.number != NOTHING) {
        lost.attempt++;
        p->waiting[p->waiting_count++] = lost;
    }
    hire(p, place);
}

static void receive(actor_message *m, job *about) {
#ifdef HASTY
    if (actor_receive(m, NULL, 0, ACTOR_MATCH(ACTOR_TAGS(DEATH), .timeout_ms = ACTOR_NOT_AT_ALL))) {
        return;
    }
#endif
    actor_receive(m, about, sizeof *about, NULL);
}

int main(void) {
    pool p = {.waiting_count = 0};
    for (int i = 0; i < WORKERS; i++) {
        hire(&p, i);
    }
    for (int i = JOBS; i-- > 0;) {
        p.waiting[p.waiting_count++] = (job){.number = i};
    }
    while (p.finished < JOBS) {
        actor_message m;
        job about;
        give_out(&p);
        receive(&m, &about);
        if (m.tag == RESULT) {
            on_result(&p, m.sender, about.number);
        } else {
            on_death(&p, m.sender);
        }
    }
    for (int i = 0; i < WORKERS; i++) {
        actor_send_tag(p.workers[i], STOP);
    }
    return 0;
}
