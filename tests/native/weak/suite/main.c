#include "suite.h"

#include <string.h>

enum { MOST_THREADS = 16 };

atomic_int guarded;

typedef struct job {
    body *body;
    int number;
} job;

static void *start(void *argument) {
    job *j = argument;
    j->body(j->number);
    return NULL;
}

static void run_jobs(job *jobs, int count) {
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, start, &jobs[i]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

void run(int count, body *body) {
    static job jobs[MOST_THREADS];
    for (int i = 0; i < count; i++)
        jobs[i] = (job){body, i};
    run_jobs(jobs, count);
}

void run_both(body *first, body *second) {
    static job jobs[2];
    jobs[0] = (job){first, 0};
    jobs[1] = (job){second, 1};
    run_jobs(jobs, 2);
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
#define PROGRAM(name) {#name, name},
#include "list.h"
#undef PROGRAM
};

int main(int count, char **arguments) {
    for (size_t i = 0; count > 1 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(programs[i].name, arguments[1]) == 0) {
            programs[i].run();
            return 0;
        }
    }
    return 2;
}
