/* <heddle/actor.h> on real threads: a thread, a mutex and a condition for every process.
 *
 * A process is known by its number forever, so its record outlives it; its mailbox does not. The
 * mailbox's mutex is held while a predicate is asked: only its owner takes messages, but senders
 * append to the list. */
#include <errno.h>
#include <heddle/actor.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct letter {
    struct letter *next;
    actor_message message;
    _Alignas(max_align_t) unsigned char payload[];
} letter;

typedef struct process {
    actor identity;
    actor parent;
    void (*body)(void *);
    void *argument;
    bool spawned, monitored;
    int monitor_tag;

    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t changed;
    bool ended;
    letter *first;
    letter **end; /* where the next one is linked */
} process;

enum { FIRST_CAPACITY = 64 };

static struct {
    pthread_rwlock_t lock;
    process **processes; /* by identity - 1 */
    size_t count, capacity;
} all = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t own; /* the process of a thread; ends with it */
static _Thread_local bool asking;

__attribute__((noreturn, format(printf, 1, 2))) static void misuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("heddle-actor: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

static void must(int error, const char *what) {
    if (error) {
        misuse("%s: %s", what, strerror(error));
    }
}

static void *allocate(void *old, size_t size) {
    void *block = realloc(old, size);
    if (!block) {
        misuse("no memory");
    }
    return block;
}

/* ---- processes ---- */

static void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    must(pthread_condattr_init(&attributes), "pthread_condattr_init");
    must(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), "pthread_condattr_setclock");
    must(pthread_cond_init(condition, &attributes), "pthread_cond_init");
    pthread_condattr_destroy(&attributes);
}

static process *new_process(void) {
    process *p = allocate(NULL, sizeof *p);
    memset(p, 0, sizeof *p);
    p->end = &p->first;
    must(pthread_mutex_init(&p->mutex, NULL), "pthread_mutex_init");
    init_condition(&p->changed);
    pthread_rwlock_wrlock(&all.lock);
    if (all.count == all.capacity) {
        all.capacity = all.capacity ? all.capacity * 2 : FIRST_CAPACITY;
        all.processes = allocate(all.processes, all.capacity * sizeof(process *));
    }
    all.processes[all.count++] = p;
    p->identity = (actor)all.count;
    pthread_rwlock_unlock(&all.lock);
    return p;
}

/* The mailbox is emptied, and whoever waits for the end is notified. */
static void end_process(void *argument) {
    process *p = argument;
    pthread_mutex_lock(&p->mutex);
    letter *left = p->first;
    p->first = NULL;
    p->end = &p->first;
    p->ended = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    while (left) {
        letter *next = left->next;
        free(left);
        left = next;
    }
}

static void make_key(void) {
    must(pthread_key_create(&own, end_process), "pthread_key_create");
}

static process *self(const char *function) {
    if (asking) {
        misuse("%s in a predicate", function);
    }
    must(pthread_once(&once, make_key), "pthread_once");
    process *p = pthread_getspecific(own);
    if (!p) {
        p = new_process();
        must(pthread_setspecific(own, p), "pthread_setspecific");
    }
    return p;
}

static process *find(actor identity, const char *what) {
    pthread_rwlock_rdlock(&all.lock);
    process *p =
        identity != ACTOR_NONE && identity <= all.count ? all.processes[identity - 1] : NULL;
    pthread_rwlock_unlock(&all.lock);
    if (!p) {
        misuse("%s %u, which is not a process", what, identity);
    }
    return p;
}

static void *run(void *argument) {
    process *p = argument;
    must(pthread_setspecific(own, p), "pthread_setspecific");
    p->body(p->argument);
    actor_exit();
}

static actor spawn(void (*body)(void *), void *argument, const int *monitor_tag) {
    actor parent = self("actor_spawn")->identity;
    process *p = new_process();
    actor identity = p->identity;
    p->body = body;
    p->argument = argument;
    p->parent = parent;
    p->spawned = true;
    p->monitored = monitor_tag != NULL;
    p->monitor_tag = monitor_tag ? *monitor_tag : 0;
    pthread_t thread;
    must(pthread_create(&thread, NULL, run, p), "pthread_create");
    must(pthread_detach(thread), "pthread_detach");
    return identity;
}

actor actor_spawn(void (*body)(void *), void *argument) {
    return spawn(body, argument, NULL);
}

actor actor_spawn_monitored(void (*body)(void *), void *argument, int tag) {
    return spawn(body, argument, &tag);
}

actor actor_self(void) {
    return self("actor_self")->identity;
}

actor actor_parent(void) {
    return self("actor_parent")->parent;
}

void actor_exit(void) {
    process *p = self("actor_exit");
    if (p->monitored) {
        actor_send(p->parent, p->monitor_tag, NULL, 0);
    }
    pthread_exit(NULL);
}

void actor_join(actor identity) {
    process *caller = self("actor_join"), *p = find(identity, "actor_join of");
    if (p == caller || !p->spawned) {
        misuse("actor_join of %s",
               p == caller ? "the process itself" : "a process that actor_spawn did not make");
    }
    pthread_mutex_lock(&p->mutex);
    while (!p->ended) {
        pthread_cond_wait(&p->changed, &p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
}

/* ---- messages ---- */

void actor_send(actor receiver, int tag, const void *data, size_t size) {
    actor sender = self("actor_send")->identity;
    process *p = find(receiver, "actor_send to");
    letter *l = allocate(NULL, sizeof *l + size);
    l->next = NULL;
    l->message = (actor_message){.tag = tag, .sender = sender, .size = size};
    if (size) {
        memcpy(l->payload, data, size);
    }
    pthread_mutex_lock(&p->mutex);
    bool dropped = p->ended;
    if (!dropped) {
        *p->end = l;
        p->end = &l->next;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
    if (dropped) {
        free(l);
    }
}

static bool tag_fits(const actor_pattern *pattern, int tag) {
    for (size_t i = 0; i < pattern->tag_count; i++) {
        if (pattern->tags[i] == tag) {
            return true;
        }
    }
    return pattern->tag_count == 0;
}

static bool fits(const actor_pattern *pattern, const letter *l) {
    if (!tag_fits(pattern, l->message.tag) ||
        (pattern->sender != ACTOR_NONE && pattern->sender != l->message.sender)) {
        return false;
    }
    if (!pattern->predicate) {
        return true;
    }
    actor_message copy = l->message;
    asking = true;
    bool accepted = pattern->predicate(&copy, l->payload, pattern->context);
    asking = false;
    return accepted;
}

/* The first from *link on that matches, taken out; else *link is where the list ends. */
static letter *take(process *p, letter ***link, const actor_pattern *pattern) {
    for (letter *l; (l = **link); *link = &l->next) {
        if (fits(pattern, l)) {
            **link = l->next;
            if (!l->next) {
                p->end = *link;
            }
            return l;
        }
    }
    return NULL;
}

static struct timespec deadline_after(int timeout_ms) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_ms / 1000;
    t.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* Waits for a change; false if there is no time left. With the mutex held, as the next one. */
static bool wait_for_change(process *p, int timeout_ms, const struct timespec *deadline) {
    if (timeout_ms == ACTOR_FOREVER) {
        return pthread_cond_wait(&p->changed, &p->mutex) == 0;
    }
    return timeout_ms > 0 && pthread_cond_timedwait(&p->changed, &p->mutex, deadline) == 0;
}

static letter *wait_for_letter(process *p, const actor_pattern *pattern) {
    struct timespec deadline = deadline_after(pattern->timeout_ms > 0 ? pattern->timeout_ms : 0);
    letter **link = &p->first;
    letter *taken = take(p, &link, pattern);
    for (bool time_left = true; !taken && time_left;) {
        time_left = wait_for_change(p, pattern->timeout_ms, &deadline);
        taken = take(p, &link, pattern);
    }
    return taken;
}

bool actor_receive(actor_message *message, void *data, size_t capacity,
                   const actor_pattern *pattern) {
    static const actor_pattern anything = {0};
    process *p = self("actor_receive");
    pattern = pattern ? pattern : &anything;
    if (pattern->tag_count > ACTOR_MAX_TAGS) {
        misuse("a receive with %zu tags (at most %d)", pattern->tag_count, ACTOR_MAX_TAGS);
    }
    pthread_mutex_lock(&p->mutex);
    letter *taken = wait_for_letter(p, pattern);
    pthread_mutex_unlock(&p->mutex);
    if (!taken) {
        return false;
    }
    if (data && taken->message.size > capacity) {
        misuse("a message of %zu bytes (tag %d) is received where there is room for %zu",
               taken->message.size, taken->message.tag, capacity);
    }
    if (message) {
        *message = taken->message;
    }
    if (data && taken->message.size) {
        memcpy(data, taken->payload, taken->message.size);
    }
    free(taken);
    return true;
}
